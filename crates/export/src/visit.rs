//! Visitors that read a syntax tree, behind one trait object, as in [`visit_mut`](crate::visit_mut).

/// A visitor as a trait object.
pub(crate) trait AsVisitor<'ast> {
    fn as_visitor(&mut self) -> &mut dyn Visit<'ast>;
}

impl<'ast, V: Visit<'ast>> AsVisitor<'ast> for V {
    fn as_visitor(&mut self) -> &mut dyn Visit<'ast> {
        self
    }
}

/// The one visitor that syn's walk is compiled for.
struct Walk<'v, 'ast>(&'v mut dyn Visit<'ast>);

macro_rules! nodes {
    ($($method:ident: $node:ty,)*) => {
        /// A visitor, which walks through all that it does not treat in another way.
        pub(crate) trait Visit<'ast>: AsVisitor<'ast> {
            $(fn $method(&mut self, node: &'ast $node) {
                $method(self.as_visitor(), node);
            })*
        }

        $(
            /// Walks through the parts of a node. If it were inlined, the optimiser would copy the walk into itself.
            #[inline(never)]
            pub(crate) fn $method<'ast>(visitor: &mut dyn Visit<'ast>, node: &'ast $node) {
                syn::visit::$method(&mut Walk(visitor), node);
            }
        )*

        impl<'ast> syn::visit::Visit<'ast> for Walk<'_, 'ast> {
            $(fn $method(&mut self, node: &'ast $node) {
                self.0.$method(node);
            })*
        }
    };
}

nodes! {
    visit_arm: syn::Arm,
    visit_attribute: syn::Attribute,
    visit_block: syn::Block,
    visit_const_param: syn::ConstParam,
    visit_expr: syn::Expr,
    visit_expr_closure: syn::ExprClosure,
    visit_expr_for_loop: syn::ExprForLoop,
    visit_expr_if: syn::ExprIf,
    visit_expr_let: syn::ExprLet,
    visit_expr_method_call: syn::ExprMethodCall,
    visit_expr_while: syn::ExprWhile,
    visit_field: syn::Field,
    visit_field_pat: syn::FieldPat,
    visit_file: syn::File,
    visit_fn_arg: syn::FnArg,
    visit_generic_argument: syn::GenericArgument,
    visit_generics: syn::Generics,
    visit_impl_item: syn::ImplItem,
    visit_impl_item_fn: syn::ImplItemFn,
    visit_item: syn::Item,
    visit_item_fn: syn::ItemFn,
    visit_item_impl: syn::ItemImpl,
    visit_local: syn::Local,
    visit_local_init: syn::LocalInit,
    visit_macro: syn::Macro,
    visit_pat: syn::Pat,
    visit_pat_ident: syn::PatIdent,
    visit_path: syn::Path,
    visit_signature: syn::Signature,
    visit_trait_item: syn::TraitItem,
    visit_trait_item_fn: syn::TraitItemFn,
    visit_type: syn::Type,
    visit_type_param: syn::TypeParam,
    visit_type_param_bound: syn::TypeParamBound,
    visit_use_tree: syn::UseTree,
    visit_variant: syn::Variant,
}
