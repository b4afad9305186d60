/** The part of Electron's `safeStorage` that is used. Older runtimes cannot name their backend. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  getSelectedStorageBackend?(): string;
  encryptString(text: string): Buffer;
  decryptString(bytes: Buffer): string;
}

export type SecretRefusal =
  /** The system would keep secrets under a password that is in every copy of the program: worse than none. */
  | "plain_text_backend"
  /** The system has no keychain, or it is locked. */
  | "no_keychain";

export interface SecretStore {
  /** Whether secrets can be kept, and if not, why: it is said, and the person is asked per session instead. */
  state(): { kind: "ready" } | { kind: "refused"; code: SecretRefusal };
  seal(text: string): { kind: "sealed"; bytes: Uint8Array } | { kind: "refused"; code: SecretRefusal };
  /** Bytes that cannot be opened mean one thing to a person: sign in again. */
  open(bytes: Uint8Array): { kind: "opened"; text: string } | { kind: "sign_in_again" };
}

/**
 * Secrets of connections, kept by the system's keychain. Nothing that the journal needs may be kept here: keychains get
 * lost. Secrets stay in the main process.
 */
export function createSecretStore(storage: SafeStorage): SecretStore {
  const state: SecretStore["state"] = () => {
    if (storage.getSelectedStorageBackend?.() === "basic_text") return { kind: "refused", code: "plain_text_backend" };
    return storage.isEncryptionAvailable() ? { kind: "ready" } : { kind: "refused", code: "no_keychain" };
  };
  return {
    state,
    seal: (text) => {
      const now = state();
      if (now.kind === "refused") return now;
      try {
        return { kind: "sealed", bytes: new Uint8Array(storage.encryptString(text)) };
      } catch {
        // Available a moment ago, and locked since.
        return { kind: "refused", code: "no_keychain" };
      }
    },
    open: (bytes) => {
      if (state().kind === "refused") return { kind: "sign_in_again" };
      try {
        return { kind: "opened", text: storage.decryptString(Buffer.from(bytes)) };
      } catch {
        // Another machine, another user, a new keychain: the cure is the same.
        return { kind: "sign_in_again" };
      }
    },
  };
}
