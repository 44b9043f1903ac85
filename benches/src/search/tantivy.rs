//! Tantivy with its English stemmer: BM25, every word in every field, any word, weighted fields.

use tantivy::collector::TopDocs;
use tantivy::indexer::NoMergePolicy;
use tantivy::query::QueryParser;
use tantivy::schema::{
    Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::{Index, IndexReader, IndexWriter, TantivyDocument};

use super::Skill;
use super::engine::{Engine, Found, Weighted};
use super::weights::Weights;
use crate::Failure;

/// Memory for the writer, in bytes: enough that all is one segment at once.
const MEMORY: usize = 500_000_000;

/// An index in memory, of one segment.
pub(super) struct Tantivy {
    reader: IndexReader,
    parser: QueryParser,
    number: Field,
    /// Slug, name, keywords, description, headings.
    fields: [Field; 5],
}

impl Tantivy {
    /// An engine with these skills.
    pub(super) fn with(skills: &[Skill]) -> Result<Self, Failure> {
        let mut schema = Schema::builder();
        let number = schema.add_u64_field("number", INDEXED | STORED);
        let indexing = TextFieldIndexing::default().set_tokenizer("en_stem");
        let indexing = indexing.set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text = TextOptions::default().set_indexing_options(indexing);
        let [slug, name] = ["slug", "name"].map(|field| schema.add_text_field(field, text.clone() | STORED));
        let [keywords, description, headings] =
            ["keywords", "description", "headings"].map(|field| schema.add_text_field(field, text.clone()));
        let index = Index::create_in_ram(schema.build());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, MEMORY)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for (at, skill) in skills.iter().enumerate() {
            let mut document = TantivyDocument::default();
            document.add_u64(number, at as u64);
            document.add_text(slug, &skill.slug);
            document.add_text(name, &skill.name);
            document.add_text(keywords, skill.keywords.join("\n"));
            document.add_text(description, &skill.description);
            document.add_text(headings, skill.headings.join("\n"));
            writer.add_document(document)?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let fields = [slug, name, keywords, description, headings];
        let parser = QueryParser::for_index(&index, fields.to_vec());
        Ok(Self { reader: index.reader()?, parser, number, fields })
    }
}

impl Weighted for Tantivy {
    fn set_weights(&mut self, weights: Weights) {
        for (field, weight) in self.fields.into_iter().zip(weights) {
            self.parser.set_field_boost(field, weight as f32);
        }
    }
}

impl Engine for Tantivy {
    fn name(&self) -> &'static str {
        "tantivy"
    }

    fn search(&self, query: &str, limit: usize) -> Result<Vec<Found>, Failure> {
        let searcher = self.reader.searcher();
        // Signs have a meaning in its language of queries.
        let words: String = query.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
        let (query, _) = self.parser.parse_query_lenient(&words.to_lowercase());
        let best = searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
        let mut found = Vec::with_capacity(best.len());
        for (_, at) in best {
            let document: TantivyDocument = searcher.doc(at)?;
            let text = |field| document.get_first(field).and_then(|value| value.as_str()).unwrap_or_default();
            let number = document.get_first(self.number).and_then(|value| value.as_u64());
            found.push(Found {
                number: number.ok_or("tantivy lost a number")? as usize,
                slug: text(self.fields[0]).to_owned(),
                name: text(self.fields[1]).to_owned(),
            });
        }
        Ok(found)
    }
}
