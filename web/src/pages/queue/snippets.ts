/** The first mail in three ways, ready to be run: only the key is the reader's own. */
export const snippetsOf = (origin: string) =>
  ({
    curl: `curl ${origin}/api/outbox \\
  -H "Authorization: Bearer $PILLARBOX_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "to": "ada@example.org",
        "subject": "Booked",
        "text": "See you on Friday." }'`,
    TypeScript: `import { createPillarbox } from 'pillarbox';

const box = await createPillarbox();
await box.outbox.send({
  to: 'ada@example.org',
  subject: 'Booked',
  text: 'See you on Friday.',
});`,
    'Command line': `npx pillarbox send \\
  --to ada@example.org \\
  --subject "Booked" \\
  --text "See you on Friday."`,
  }) as const;
