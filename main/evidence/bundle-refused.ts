/** The workspace itself is not in order, so that no proof can be made of it. The message is for people. */
export class BundleRefused extends Error {
  override readonly name = "BundleRefused";
}
