import { type SecretRule, tokenRule } from "../secret-rule.js"
import { looksRandom } from "./randomness.js"

/** Tokens of hosts of code, packages, issues and documents. */
export const CODE_HOST_RULES: readonly SecretRule[] = [
  // Of any length that GitHub may use in future.
  tokenRule("GitHub token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9_.-]{36,600}"),
  tokenRule("GitHub token", ["github_pat_"], "github_pat_[A-Za-z0-9_]{22,255}"),
  // Of users, deployments, runners, triggers, feeds, jobs and applications; newer ones contain dots.
  tokenRule(
    "GitLab token",
    [
      "glpat-",
      "glptt-",
      "gldt-",
      "glrt-",
      "glrtr-",
      "glcbt-",
      "glimt-",
      "glsoat-",
      "glft-",
      "gloas-",
      "glagent-",
      "glwt-",
      "glffct-",
    ],
    String.raw`gl(?:pat|ptt|dt|rt|rtr|cbt|imt|soat|ft|oas|agent|wt|ffct)-[A-Za-z0-9_-]{20,200}(?:\.[A-Za-z0-9_-]{2,20}){0,3}`,
  ),
  tokenRule(
    "Bitbucket token",
    ["ATBB", "ATCTT3"],
    "(?:(?<![A-Za-z0-9])ATBB[A-Za-z0-9]{32}|ATCTT3[A-Za-z0-9_=-]{100,300})",
  ),
  tokenRule("Atlassian token", ["ATATT3"], "ATATT3[A-Za-z0-9_=-]{100,300}"),
  tokenRule("Docker token", ["dckr_pat_", "dckr_oat_"], "dckr_[op]at_[A-Za-z0-9_-]{20,60}"),
  tokenRule("npm token", ["npm_"], "npm_[A-Za-z0-9]{36,64}"),
  // In .npmrc; a variable in its place is not a secret.
  {
    kind: "npm token",
    hints: ["_authToken", ":_"],
    pattern: /(?:_authToken|:_password|:_auth)\s{0,3}=\s{0,3}["']?(?<secret>[A-Za-z0-9+/_.=-]{16,500})/g,
  },
  tokenRule("PyPI token", ["pypi-"], "pypi-[A-Za-z0-9_-]{50,1000}"),
  tokenRule("RubyGems key", ["rubygems_"], "rubygems_[a-f0-9]{48}"),
  tokenRule("NuGet key", ["oy2"], "oy2[a-z0-9]{43}"),
  tokenRule("crates.io token", ["cio"], "cio[A-Za-z0-9]{32}", looksRandom),
  tokenRule("Linear token", ["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_[A-Za-z0-9]{32,128}"),
  tokenRule("Notion token", ["secret_"], "secret_[A-Za-z0-9]{43}", looksRandom),
  tokenRule("Notion token", ["ntn_"], "ntn_[A-Za-z0-9]{40,60}"),
  tokenRule("Artifactory key", ["AKCp", "cmVmdGtuO"], "(?:AKCp[A-Za-z0-9]{60,80}|cmVmdGtuO[A-Za-z0-9]{40,80})"),
  tokenRule("SonarQube token", ["squ_", "sqp_", "sqa_"], "sq[upa]_[a-f0-9]{40}"),
  tokenRule("Sourcegraph token", ["sgp_"], "sgp_(?:[a-z0-9]{5,20}_)?[a-f0-9]{40}"),
  tokenRule("Buildkite token", ["bkua_"], "bkua_[a-f0-9]{40}"),
  tokenRule("CircleCI token", ["CCIPAT_"], "CCIPAT_[A-Za-z0-9]{10,30}_[a-f0-9]{40}"),
  tokenRule("Contentful token", ["CFPAT-"], "CFPAT-[A-Za-z0-9_-]{43}"),
  tokenRule("Clojars token", ["CLOJARS_"], "CLOJARS_[a-z0-9]{60}"),
  tokenRule("Frame.io token", ["fio-u-"], "fio-u-[A-Za-z0-9_=-]{64}"),
  tokenRule("ReadMe key", ["rdme_"], "rdme_[a-z0-9]{70}"),
  tokenRule("Airtable token", ["pat"], String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`),
  tokenRule("Postman key", ["PMAK-"], "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  tokenRule("Sentry token", ["sntrys_", "sntryu_"], "sntry[su]_[A-Za-z0-9+/=_-]{60,400}"),
  tokenRule("New Relic key", ["NRAK-"], "NRAK-[A-Z0-9]{27}"),
  tokenRule("Dropbox token", ["sl."], String.raw`sl\.(?:u\.)?[A-Za-z0-9_-]{130,1500}`),
]
