/** Without letters and digits that look alike: it may be read aloud. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 24;

/** More than anybody guesses: 24 of 55 characters are 138 bits. */
export function makePassword(random: (bytes: Uint8Array) => Uint8Array = fromBrowser): string {
  let password = '';
  while (password.length < LENGTH) {
    for (const byte of random(new Uint8Array(LENGTH))) {
      // What is over the last whole turn is thrown away: each character is as likely as the others.
      if (byte < ALPHABET.length * Math.floor(256 / ALPHABET.length))
        password += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return password.slice(0, LENGTH);
}

const fromBrowser = (bytes: Uint8Array): Uint8Array =>
  crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
