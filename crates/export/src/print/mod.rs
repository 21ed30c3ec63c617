//! The text of a file, in little space.

pub(crate) mod lines;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The length after which a line ends where it can.
const LINE: usize = 180;

/// The text of a file as a programmer would write it.
pub fn pretty(file: &syn::File) -> String {
    prettyplease::unparse(file)
}

/// The text of a file without white space that the compiler does without.
pub fn compact(file: &syn::File) -> String {
    let mut printer = Printer::new(LINE);
    printer.stream(file.to_token_stream(), false);
    printer.text.push('\n');
    printer.text
}

/// The kind of the last token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// An opening delimiter, or nothing.
    Open,
    /// A closing delimiter.
    Close,
    /// A name, a keyword or a literal.
    Word,
    /// A mark that ends an operator.
    Mark(char),
    /// A mark that the next one continues.
    Joint,
}

struct Printer {
    text: String,
    /// The length after which a line ends where it can.
    most: usize,
    /// The characters of the last line.
    line: usize,
    last: Last,
    /// The token before the last one.
    before: Last,
}

impl Printer {
    fn new(most: usize) -> Printer {
        Printer { text: String::new(), most, line: 0, last: Last::Open, before: Last::Open }
    }

    fn stream(&mut self, tokens: TokenStream, in_macro: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let is_last = at + 1 == tokens.len();
            match token {
                TokenTree::Group(group) => {
                    let in_macro = in_macro || is_macro(&tokens[..at]);
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.write(open);
                    self.enter(if open.is_empty() { self.last } else { Last::Open });
                    let inner = group.stream();
                    self.stream(if in_macro { inner } else { without_last_comma(group.delimiter(), inner) }, in_macro);
                    self.write(close);
                    self.enter(if close.is_empty() { self.last } else { Last::Close });
                    self.end_line();
                }
                TokenTree::Punct(mark) => {
                    let next = mark.as_char();
                    if self.needs_space(next) {
                        self.space();
                    }
                    self.write(next.encode_utf8(&mut [0; 4]));
                    let is_joint = mark.spacing() == Spacing::Joint && !is_last;
                    self.enter(if is_joint { Last::Joint } else { Last::Mark(next) });
                    if matches!(next, ';' | ',') {
                        self.end_line();
                    }
                }
                TokenTree::Ident(_) | TokenTree::Literal(_) => {
                    if self.last == Last::Word {
                        self.space();
                    }
                    let text = token.to_string();
                    self.write(&text);
                    if let Some((_, tail)) = text.rsplit_once('\n') {
                        self.line = tail.len();
                    }
                    self.enter(Last::Word);
                }
            }
        }
    }

    /// Returns true if this mark would be another one without a space before it.
    fn needs_space(&self, next: char) -> bool {
        let is_operand = matches!(self.before, Last::Word | Last::Close);
        match (self.last, next) {
            // Behind a name these begin a literal or a lifetime.
            (Last::Word, '\'' | '#') => true,
            (Last::Word, '.') => self.text.ends_with('.'),
            (Last::Mark('&'), '&') | (Last::Mark('|'), '|') => is_operand,
            (Last::Mark(last), '=') => ".=!<+-*/%^&|".contains(last),
            (Last::Mark(last), '>') => "=-".contains(last),
            (Last::Mark('<'), '-' | '<') | (Last::Mark(':'), ':') | (Last::Mark('.'), '.') => true,
            (Last::Mark('/'), '/' | '*') | (Last::Mark('*'), '/') => true,
            _ => false,
        }
    }

    fn enter(&mut self, token: Last) {
        self.before = std::mem::replace(&mut self.last, token);
    }

    fn write(&mut self, text: &str) {
        self.text.push_str(text);
        self.line += text.len();
    }

    fn space(&mut self) {
        if self.line > self.most {
            self.end_line();
        } else {
            self.write(" ");
        }
    }

    fn end_line(&mut self) {
        if self.line > self.most {
            self.text.push('\n');
            self.line = 0;
        }
    }
}

/// Returns true if these tokens end in the name of a macro: `name!`, or `macro_rules! name`.
fn is_macro(before: &[TokenTree]) -> bool {
    let is_mark = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '!');
    match before {
        [.., TokenTree::Ident(_), mark] if is_mark(mark) => true,
        [.., TokenTree::Ident(_), mark, TokenTree::Ident(_)] => is_mark(mark),
        _ => false,
    }
}

/// Leaves out the comma before a closing delimiter, unless it makes a tuple.
fn without_last_comma(delimiter: Delimiter, tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let commas = tokens.iter().filter(|token| is_comma(token)).count();
    if tokens.last().is_some_and(is_comma) && (commas > 1 || delimiter != Delimiter::Parenthesis) {
        tokens.pop();
    }
    tokens.into_iter().collect()
}
