import { describe, expect, it } from "vitest";
import { createSecretStore, type SafeStorage } from "../../main/shell/secret-store";

const storage = (change: Partial<SafeStorage> = {}): SafeStorage => ({
  isEncryptionAvailable: () => true,
  encryptString: (text) => Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a)),
  decryptString: (bytes) => Buffer.from([...bytes].map((byte) => byte ^ 0x5a)).toString(),
  ...change,
});
const refuse = () => {
  throw new Error("the keychain says: token abc");
};

describe("secrets", () => {
  it("come back as they went in", () => {
    const store = createSecretStore(storage({ getSelectedStorageBackend: () => "gnome_libsecret" }));
    const sealed = store.seal("密码");
    expect(sealed.kind).toBe("sealed");
    expect(sealed.kind === "sealed" && store.open(sealed.bytes)).toEqual({ kind: "opened", text: "密码" });
  });

  it("are refused where the system would keep them in plain text, and this is said", () => {
    const store = createSecretStore(storage({ getSelectedStorageBackend: () => "basic_text" }));
    expect(store.state()).toEqual({ kind: "refused", code: "plain_text_backend" });
    expect(store.seal("x")).toEqual({ kind: "refused", code: "plain_text_backend" });
    expect(store.open(new Uint8Array([1]))).toEqual({ kind: "sign_in_again" });
  });

  it("are refused without a keychain, also on runtimes that cannot name theirs, and when it locks meanwhile", () => {
    expect(createSecretStore(storage({ isEncryptionAvailable: () => false })).seal("x")).toEqual({
      kind: "refused",
      code: "no_keychain",
    });
    expect(createSecretStore(storage({ encryptString: refuse })).seal("x")).toEqual({
      kind: "refused",
      code: "no_keychain",
    });
  });

  it("that cannot be opened mean: sign in again", () => {
    expect(createSecretStore(storage({ decryptString: refuse })).open(new Uint8Array([1]))).toEqual({
      kind: "sign_in_again",
    });
  });
});
