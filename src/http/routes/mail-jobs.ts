import { text } from '../../presentation/shape.js';
import { StateWord } from '../../presentation/words.js';
import { Type } from '../../vendor/typebox.js';
import { accepted } from '../answers.js';
import { route, type Route } from '../route.js';

/** What it must look like says the contract, which is checked where it is read. */
const Job = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true });

export const mailJobRoutes: readonly Route[] = [
  route(
    'send',
    {
      method: 'POST',
      url: '/api/mail-jobs',
      operation: 'handInMailJob',
      summary:
        'A job of contracts/mail-job.schema.json from another producer; 200 if it was handed in before; 422 with the failing path',
      body: Job,
      example: {
        version: '1.0',
        notificationId: 1,
        openEventId: 1,
        subscriptionId: 1,
        dedupeKey: '09214:Open',
        locale: 'en',
        recipient: { email: 'ada@example.org' },
        template: {
          id: 'open-seat',
          version: 'v1',
          variables: {
            courseTitle: 'Linear Algebra',
            courseString: '01:640:250',
            sectionIndex: '09214',
            sectionNumber: '05',
            meetingSummary: 'Mon, Thu 10:20',
            manageUrl: 'https://courses.example/manage',
          },
        },
        event: {
          termId: '20269',
          campusCode: 'NB',
          indexNumber: '09214',
          statusAfter: 'Open',
          eventAt: '2026-11-16T14:00:00.000Z',
        },
        links: {},
      },
      answer: Type.Object({ id: text('msg_4k7q'), duplicate: Type.Literal(true) }),
      accepted: Type.Object({ id: text('msg_4k7q'), state: StateWord }),
      errors: ['mail_job_invalid', 'mail_job_version'],
    },
    async ({ body, workspace }) => {
      const result = await workspace.mailJobs.handIn(body);
      return 'duplicate' in result ? result : accepted(result);
    },
  ),
];
