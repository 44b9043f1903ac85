//! The forms of tokens. Their issuers document them, or several scanners agree on them.

/// The form of a kind of token: a prefix, and a regular expression over bytes for the rest.
pub(super) struct Rule {
    /// The kind, with an article: `a GitHub token`.
    pub what: &'static str,
    pub prefixes: &'static [&'static str],
    /// Matched right after a prefix.
    pub random: &'static str,
    /// Whether nothing else has this form.
    pub certain: bool,
}

const fn certain(what: &'static str, prefixes: &'static [&'static str], random: &'static str) -> Rule {
    Rule { what, prefixes, random, certain: true }
}

const fn probable(what: &'static str, prefixes: &'static [&'static str], random: &'static str) -> Rule {
    Rule { what, prefixes, random, certain: false }
}

/// All forms. The first match wins.
#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    certain("a token of a Skillmirror registry", &["smt_", "smj_"], "[a-z2-7]{52}"),
    certain("an AWS access key id", &["AKIA", "ASIA", "ABIA", "ACCA"], "[A-Z0-9]{16}"),
    certain("an Amazon Bedrock key", &["ABSK"], "[A-Za-z0-9+/]{109,269}={0,2}"),
    certain("a GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{36}"),
    certain("a GitHub fine-grained token", &["github_pat_"], "[A-Za-z0-9_]{82}"),
    certain("a GitLab token", &["glpat-", "gldt-", "glrt-", "glft-", "glsoat-", "glffct-"], "[A-Za-z0-9_-]{20}"),
    certain("a GitLab token", &["glpat-", "glrt-"], r"[A-Za-z0-9_-]{27,300}\.[0-9a-z]{9}"),
    certain("a GitLab token", &["glptt-"], "[0-9a-f]{40}"),
    certain("a Slack token", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-"],
        "(?:[0-9]-)?(?:[0-9]{8,16}-){1,3}[A-Za-z0-9]{18,64}"),
    certain("a Slack token", &["xoxe.xoxb-1-", "xoxe.xoxp-1-", "xoxe-1-"], "[A-Za-z0-9]{140,170}"),
    probable("a Slack app token", &["xapp-"], "[0-9]-[A-Z0-9]{6,16}-[0-9]{8,16}-[A-Za-z0-9]{32,80}"),
    certain("a Slack webhook", &["hooks.slack.com/services/"], "T[A-Z0-9]{7,14}/B[A-Z0-9]{7,14}/[A-Za-z0-9]{20,28}"),
    certain("a Slack webhook", &["hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
        "[A-Z0-9]{8,14}/[A-Za-z0-9]{8,24}/(?:[0-9]{12,24}/)?[A-Za-z0-9]{20,40}"),
    certain("a Discord webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        "[0-9]{17,20}/[A-Za-z0-9_-]{60,72}"),
    certain("a Stripe live key", &["sk_live_", "rk_live_"], "[A-Za-z0-9]{24,}"),
    probable("a Stripe test key", &["sk_test_", "rk_test_"], "[A-Za-z0-9]{24,}"),
    probable("a Stripe webhook secret", &["whsec_"], "[A-Za-z0-9+/]{32,}={0,2}"),
    certain("a Google API key", &["AIza"], "[A-Za-z0-9_-]{35}"),
    certain("a Google OAuth client secret", &["GOCSPX-"], "[A-Za-z0-9_-]{28}"),
    probable("a Google OAuth token", &["ya29."], "[A-Za-z0-9_-]{20,}"),
    probable("a Google OAuth refresh token", &["1//0"], "[A-Za-z0-9_-]{40,}"),
    certain("an npm token", &["npm_"], "[A-Za-z0-9]{36}"),
    certain("a PyPI token", &["pypi-AgEIcHlwaS5vcmc"], "[A-Za-z0-9_-]{50,}"),
    certain("a RubyGems key", &["rubygems_"], "[a-f0-9]{48}"),
    certain("a Docker Hub token", &["dckr_pat_"], "[A-Za-z0-9_-]{27}"),
    certain("an Anthropic API key", &["sk-ant-"], "[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{80,120}"),
    certain("an OpenAI API key", &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        "(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58}|[A-Za-z0-9_-]{20})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58}|[A-Za-z0-9_-]{20})"),
    certain("an OpenAI API key", &["sk-"], "[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    certain("an OpenRouter key", &["sk-or-v1-"], "[a-f0-9]{64}"),
    probable("an API key", &["sk-", "sk_"], "(?:[a-z]{2,8}-)?[A-Za-z0-9]{32,}"),
    certain("a Groq key", &["gsk_"], "[A-Za-z0-9]{52}"),
    certain("an xAI key", &["xai-"], "[A-Za-z0-9]{80}"),
    certain("a Perplexity key", &["pplx-"], "[A-Za-z0-9]{48}"),
    certain("a Replicate token", &["r8_"], "[A-Za-z0-9]{37}"),
    certain("a Hugging Face token", &["hf_", "api_org_"], "[A-Za-z0-9]{34}"),
    probable("a Tavily key", &["tvly-"], "(?:[a-z]{2,5}-)?[A-Za-z0-9-]{32,64}"),
    probable("a Firecrawl key", &["fc-"], "[a-f0-9]{32}"),
    certain("a SendGrid key", &["SG."], r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    certain("a Brevo key", &["xkeysib-"], "[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    probable("a Twilio key", &["SK"], "[a-f0-9]{32}"),
    certain("a DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], "[a-f0-9]{64}"),
    certain("a Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], "[a-fA-F0-9]{32}"),
    certain("a Square token", &["sq0atp-", "sq0csp-"], "[A-Za-z0-9_-]{22,43}"),
    certain("a Linear key", &["lin_api_"], "[A-Za-z0-9]{40}"),
    certain("a Notion token", &["ntn_"], "[0-9]{11}[A-Za-z0-9]{35}"),
    certain("an Atlassian token", &["ATATT3xFfGF0"], "[A-Za-z0-9_=-]{100,300}"),
    certain("an Airtable token", &["pat"], r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    certain("a Figma token", &["figd_"], "[A-Za-z0-9_-]{40}"),
    certain("a Postman key", &["PMAK-"], "[a-f0-9]{24}-[a-f0-9]{34}"),
    certain("a Supabase token", &["sbp_"], "[a-f0-9]{40}"),
    certain("a PlanetScale token", &["pscale_tkn_", "pscale_oauth_", "pscale_pw_"], "[A-Za-z0-9_=.-]{32,64}"),
    certain("a Databricks token", &["dapi"], "[a-f0-9]{32}"),
    certain("a Grafana token", &["glsa_"], "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    certain("a New Relic key", &["NRAK-"], "[A-Z0-9]{27}"),
    certain("a Sentry token", &["sntryu_"], "[a-f0-9]{64}"),
    certain("a Doppler token", &["dp.pt."], "[A-Za-z0-9]{43}"),
    certain("a Vault token", &["hvs."], "[A-Za-z0-9_-]{90,120}"),
    certain("a Pulumi token", &["pul-"], "[a-f0-9]{40}"),
    certain("a Heroku key", &["HRKU-AA"], "[A-Za-z0-9_-]{58}"),
    certain("an age secret key", &["AGE-SECRET-KEY-1"], "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    probable("a JSON web token", &["eyJ"], r"[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}"),
];
