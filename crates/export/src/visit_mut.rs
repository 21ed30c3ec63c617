//! Visitors that change a syntax tree, behind one trait object.
//!
//! A visitor of [`syn::visit_mut`] is compiled together with a walk through all kinds of nodes, and there are dozens of
//! visitors. Here one walk serves all of them, which makes this crate compile in about half the time.

/// A visitor as a trait object.
pub(crate) trait AsVisitor {
    fn as_visitor(&mut self) -> &mut dyn VisitMut;
}

impl<V: VisitMut> AsVisitor for V {
    fn as_visitor(&mut self) -> &mut dyn VisitMut {
        self
    }
}

/// The one visitor that syn's walk is compiled for.
struct Walk<'v>(&'v mut dyn VisitMut);

macro_rules! nodes {
    ($($method:ident: $node:ty,)*) => {
        /// A visitor, which walks through all that it does not treat in another way.
        pub(crate) trait VisitMut: AsVisitor {
            $(fn $method(&mut self, node: &mut $node) {
                $method(self.as_visitor(), node);
            })*

            // syn has no function for the parts of a list.
            fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
                attributes.iter_mut().for_each(|attribute| self.visit_attribute_mut(attribute));
            }
        }

        $(
            /// Walks through the parts of a node. If it were inlined, the optimiser would copy the walk into itself.
            #[inline(never)]
            pub(crate) fn $method(visitor: &mut dyn VisitMut, node: &mut $node) {
                syn::visit_mut::$method(&mut Walk(visitor), node);
            }
        )*

        impl syn::visit_mut::VisitMut for Walk<'_> {
            $(fn $method(&mut self, node: &mut $node) {
                self.0.$method(node);
            })*

            fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
                self.0.visit_attributes_mut(attributes);
            }
        }
    };
}

nodes! {
    visit_arm_mut: syn::Arm,
    visit_assoc_type_mut: syn::AssocType,
    visit_attribute_mut: syn::Attribute,
    visit_block_mut: syn::Block,
    visit_const_param_mut: syn::ConstParam,
    visit_expr_closure_mut: syn::ExprClosure,
    visit_expr_for_loop_mut: syn::ExprForLoop,
    visit_expr_if_mut: syn::ExprIf,
    visit_expr_let_mut: syn::ExprLet,
    visit_expr_match_mut: syn::ExprMatch,
    visit_expr_method_call_mut: syn::ExprMethodCall,
    visit_expr_mut: syn::Expr,
    visit_expr_path_mut: syn::ExprPath,
    visit_expr_struct_mut: syn::ExprStruct,
    visit_expr_while_mut: syn::ExprWhile,
    visit_field_mut: syn::Field,
    visit_field_pat_mut: syn::FieldPat,
    visit_field_value_mut: syn::FieldValue,
    visit_fields_mut: syn::Fields,
    visit_file_mut: syn::File,
    visit_fn_arg_mut: syn::FnArg,
    visit_generic_argument_mut: syn::GenericArgument,
    visit_impl_item_fn_mut: syn::ImplItemFn,
    visit_impl_item_mut: syn::ImplItem,
    visit_item_enum_mut: syn::ItemEnum,
    visit_item_fn_mut: syn::ItemFn,
    visit_item_foreign_mod_mut: syn::ItemForeignMod,
    visit_item_impl_mut: syn::ItemImpl,
    visit_item_macro_mut: syn::ItemMacro,
    visit_item_mod_mut: syn::ItemMod,
    visit_item_mut: syn::Item,
    visit_item_struct_mut: syn::ItemStruct,
    visit_item_trait_mut: syn::ItemTrait,
    visit_item_type_mut: syn::ItemType,
    visit_lifetime_mut: syn::Lifetime,
    visit_lit_float_mut: syn::LitFloat,
    visit_lit_int_mut: syn::LitInt,
    visit_local_init_mut: syn::LocalInit,
    visit_local_mut: syn::Local,
    visit_macro_mut: syn::Macro,
    visit_member_mut: syn::Member,
    visit_parenthesized_generic_arguments_mut: syn::ParenthesizedGenericArguments,
    visit_pat_guard_mut: syn::PatGuard,
    visit_pat_ident_mut: syn::PatIdent,
    visit_pat_mut: syn::Pat,
    visit_pat_struct_mut: syn::PatStruct,
    visit_pat_tuple_struct_mut: syn::PatTupleStruct,
    visit_path_arguments_mut: syn::PathArguments,
    visit_path_mut: syn::Path,
    visit_return_type_mut: syn::ReturnType,
    visit_signature_mut: syn::Signature,
    visit_stmt_mut: syn::Stmt,
    visit_trait_bound_mut: syn::TraitBound,
    visit_trait_item_fn_mut: syn::TraitItemFn,
    visit_trait_item_mut: syn::TraitItem,
    visit_type_fn_ptr_mut: syn::TypeFnPtr,
    visit_type_impl_trait_mut: syn::TypeImplTrait,
    visit_type_mut: syn::Type,
    visit_type_param_mut: syn::TypeParam,
    visit_type_path_mut: syn::TypePath,
    visit_type_reference_mut: syn::TypeReference,
    visit_use_tree_mut: syn::UseTree,
    visit_variant_mut: syn::Variant,
    visit_visibility_mut: syn::Visibility,
}
