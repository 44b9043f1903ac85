//! Builds without the feature `openapi` drop the descriptions of routes. With
//! it, these methods are in `openapi/description.rs`.

use serde_json::Value;

use super::Route;
use crate::problem::Code;

macro_rules! ignore {
    ($($method:ident $(<$record:ident>)? ($($argument:ty),*);)*) => {
        #[allow(clippy::extra_unused_type_parameters, reason = "the records are for the description alone")]
        impl Route {
            $(pub(super) fn $method $(<$record>)? (self $(, _: $argument)*) -> Self {
                self
            })*
        }
    };
}

ignore! {
    describe(&str, &str);
    undescribed();
    paged();
    page_number();
    query<T>(&str, &str);
    query_value(&str, &str, fn() -> Value);
    required_query<T>(&str, &str);
    body<T>();
    body_or_form<T>();
    optional_body_or_form<T>();
    optional_body<T>();
    form<T>();
    replies<T>(u16);
    replies_zip();
    replies_binary();
    replies_text();
    replies_file();
    replies_nothing();
    replies_otherwise();
    fails(&[Code]);
    waits_for_tree();
    sets_cookie();
}
