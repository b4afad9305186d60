/** What the edition before left: to know what is new, whom it went to, what it said. */
export interface PreviousEdition {
  taskId: string;
  edition: string;
  /** sourceId → snapshot hash. */
  sources: Readonly<Record<string, string>>;
  packageHash: string | null;
  audienceArtifactHash: string | null;
}
