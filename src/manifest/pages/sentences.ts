/** What a rule means in a sentence or two, by the rule's id; translated when it is asked for. */
export type Sentences = Readonly<Record<string, () => string>>;
