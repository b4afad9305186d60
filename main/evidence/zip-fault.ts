/** Something about an archive or an entry is not as a ZIP has it. The message is for people; nothing of it was believed. */
export class ZipFault extends Error {
  override readonly name = "ZipFault";
}
