//! The media type of a file in a package.
//!
//! It is part of the row of a version, which is signed: a file keeps its type permanently, so the table is
//! ours and no crate's. Types are those of the media types registry of IANA, or else the ones that web
//! servers send. Programs and settings are text where the web would download or run them: in its table
//! `.ts` is a video.

/// The media type of a path by its extension, without a charset. A file with another extension, or
/// with none, is `application/octet-stream`.
pub(super) fn content_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        // Text and data.
        "c" | "cc" | "cfg" | "cmd" | "conf" | "cpp" | "cs" | "h" | "hpp" | "ini" | "log" | "map" | "text"
        | "txt" | "vb" => "text/plain",
        "css" => "text/css",
        "csv" => "text/csv",
        "htm" | "html" => "text/html",
        "ics" => "text/calendar",
        "md" | "mdx" | "markdown" => "text/markdown",
        "tsv" => "text/tab-separated-values",
        "vtt" => "text/vtt",
        "dtd" | "xml" | "xsd" | "xsl" | "xslt" => "text/xml",
        "json" => "application/json",
        "json5" => "application/json5",
        "jsonld" => "application/ld+json",
        "webmanifest" => "application/manifest+json",
        "toml" => "application/toml",
        "yaml" | "yml" => "application/yaml",
        "atom" => "application/atom+xml",
        "rdf" => "application/rdf+xml",
        "rss" => "application/rss+xml",
        "xhtml" => "application/xhtml+xml",
        "tex" => "application/x-tex",
        "pem" => "application/x-x509-ca-cert",
        // Programs.
        "coffee" => "text/coffeescript",
        "js" | "mjs" | "cjs" | "jsx" => "text/javascript",
        "less" => "text/less",
        "hbs" => "text/x-handlebars-template",
        "lua" => "text/x-lua",
        "py" => "text/x-python",
        "rs" => "text/x-rust",
        "sass" => "text/x-sass",
        "scss" => "text/x-scss",
        "ts" | "tsx" | "mts" | "cts" => "text/x-typescript",
        "dart" => "application/vnd.dart",
        "csh" => "application/x-csh",
        "php" => "application/x-httpd-php",
        "pl" => "application/x-perl",
        "sh" => "application/x-sh",
        "sql" => "application/x-sql",
        "jar" => "application/java-archive",
        "wasm" => "application/wasm",
        "bat" | "dll" => "application/x-msdownload",
        // Pictures, sounds, fonts.
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "gif" => "image/gif",
        "jpeg" | "jpg" => "image/jpeg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "tif" | "tiff" => "image/tiff",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "aac" => "audio/aac",
        "flac" => "audio/flac",
        "m4a" => "audio/m4a",
        "mp3" => "audio/mpeg",
        "ogg" | "opus" => "audio/ogg",
        "wav" => "audio/wav",
        "mp4" => "video/mp4",
        "mpeg" => "video/mpeg",
        "mov" => "video/quicktime",
        "webm" => "video/webm",
        "mkv" => "video/x-matroska",
        "avi" => "video/x-msvideo",
        "ttc" => "font/collection",
        "ttf" => "font/ttf",
        "woff2" => "font/woff2",
        "otf" => "application/font-sfnt",
        "woff" => "application/font-woff",
        "eot" => "application/vnd.ms-fontobject",
        // Documents.
        "eml" => "message/rfc822",
        "pdf" => "application/pdf",
        "epub" => "application/epub+zip",
        "rtf" => "application/rtf",
        "ps" => "application/postscript",
        "doc" | "dot" => "application/msword",
        "xls" => "application/vnd.ms-excel",
        "ppt" => "application/vnd.ms-powerpoint",
        "odp" => "application/vnd.oasis.opendocument.presentation",
        "ods" => "application/vnd.oasis.opendocument.spreadsheet",
        "odt" => "application/vnd.oasis.opendocument.text",
        // Archives.
        "gz" => "application/gzip",
        "zip" => "application/zip",
        "7z" => "application/x-7z-compressed",
        "bz2" => "application/x-bzip2",
        "tgz" => "application/x-compressed",
        "tar" => "application/x-tar",
        "xz" => "application/x-xz",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_type_depends_on_extension() {
        for (path, want) in [
            ("SKILL.md", "text/markdown"),
            ("a/b.JSON", "application/json"),
            ("x.png", "image/png"),
            ("x.ts", "text/x-typescript"),
            ("Makefile", "application/octet-stream"),
            ("x.unheard", "application/octet-stream"),
            ("a.b/c", "application/octet-stream"),
        ] {
            assert_eq!(content_type(path), want, "{path}");
        }
    }
}
