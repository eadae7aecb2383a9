/** Resolves at the first signal, which stops in order; a second one ends the process at once. */
export function toldToStop(log: { warn(facts: object, text: string): void }): Promise<string> {
  return new Promise((resolve) => {
    let told = false;
    const hear = (signal: NodeJS.Signals) => {
      if (told) {
        log.warn({ signal }, 'told twice; leases run out by themselves');
        process.exit(signal === 'SIGINT' ? 130 : 143);
      }
      told = true;
      resolve(signal);
    };
    process.on('SIGTERM', hear);
    process.on('SIGINT', hear);
  });
}
