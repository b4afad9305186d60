/**
 * The number of the rule that content hashes are made under (domain 1, "Hash rule 2"). In: title, language, body, citations,
 * links. Out: build time, renderer version, the key comment. NFC, LF, trailing blanks cut, canonical JSON, SHA-256.
 * Values under different rules are never compared.
 */
export const HASH_RULE_VERSION = 2;
