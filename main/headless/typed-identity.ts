/**
 * A signer's name as it was typed, its accents composed (NFC): some keyboards and file names give them apart, and ssh-keygen
 * compares bytes. Null where none was given.
 */
export const typedIdentity = (name: string | undefined): string | null => name?.normalize("NFC") ?? null;
