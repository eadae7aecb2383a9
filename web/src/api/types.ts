/** What the HTTP API answers. Made of its OpenAPI document by `npm run build:api`: change that. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The server took it. */
    readonly Delivered: {
      /** @constant */
      readonly delivered: true;
      readonly id: string;
      readonly messageId: string;
      /** @constant */
      readonly recorded: true;
    };
    /** @enum {string} */
    readonly State:
      | 'scheduled'
      | 'retry_scheduled'
      | 'queued'
      | 'sending'
      | 'sent'
      | 'held'
      | 'dead'
      | 'skipped'
      | 'expired'
      | 'cancelled';
    /** @description The key was known; nothing was stored. */
    readonly Duplicate: {
      /** @constant */
      readonly duplicate: true;
      readonly id: string;
      readonly state: components['schemas']['State'];
    };
    /** @description It is stored: on its way without the caller, waiting for its next try, or at an end that needs a person. */
    readonly Kept: {
      /** @constant */
      readonly delivered: false;
      readonly id: string;
      readonly state: components['schemas']['State'];
      readonly nextAttemptAt: string | null;
    };
    readonly QueuedReport: {
      readonly accepted: number;
      readonly duplicates: number;
      readonly errors: readonly {
        /** @description Its place among those that were given. */
        readonly index: number;
        readonly code: string;
        readonly message: string;
      }[];
    };
    /** @enum {string} */
    readonly Lane: 'outbox' | 'campaign' | 'notification';
    /** @enum {string} */
    readonly Action: 'email' | 'message' | 'connection_request' | 'inmail';
    /** @enum {string} */
    readonly ErrorClass: 'retryable' | 'rate_limited' | 'permanent' | 'recipient' | 'account' | 'in_doubt';
    readonly Message: {
      readonly id: string;
      /** @description Later ones have larger ones. */
      readonly number: number;
      readonly workspaceId: string;
      readonly lane: components['schemas']['Lane'];
      readonly action: components['schemas']['Action'];
      readonly accountId: string;
      readonly to: {
        readonly email: string;
        readonly name: string | null;
      };
      readonly subject: string | null;
      readonly state: components['schemas']['State'];
      readonly idempotencyKey: string | null;
      readonly dedupeKey: string;
      /** @description As in the header of the mail; the same on every try. */
      readonly messageId: string;
      /** Format: date-time */
      readonly scheduledFor: string;
      /** @description Since when it is with the broker, for the try to come. */
      readonly queuedAt: string | null;
      readonly nextAttemptAt: string | null;
      readonly attempts: number;
      readonly maxAttempts: number;
      /** @description So often a worker died, or was too slow, while it had this message. */
      readonly leaseLosses: number;
      readonly lastError: {
        /** @description Short and searchable. */
        readonly code: string;
        /** @description In the words of the server. */
        readonly message: string;
        readonly class: components['schemas']['ErrorClass'];
      } | null;
      readonly deadReason: ('permanent_error' | 'max_attempts' | 'poison') | null;
      /** @description Why it was skipped, held or cancelled, as a searchable word. */
      readonly reason: string | null;
      /** @description Why what waits will not leave at its time. */
      readonly rescheduleReason:
        | (
            | 'account_paused'
            | 'account_cooling'
            | 'outside_window'
            | 'holiday'
            | 'hourly_limit'
            | 'daily_limit'
            | 'weekly_limit'
            | 'monthly_limit'
            | 'ramp_up'
            | 'workspace_quota'
            | 'spacing'
          )
        | null;
      readonly expiresAt: string | null;
      readonly traceId: string | null;
      /** @description The name that the provider has for the conversation. */
      readonly threadId: string | null;
      readonly campaignId: string | null;
      readonly contactId: string | null;
      readonly sequenceId: string | null;
      readonly stepNumber: number | null;
      readonly eventId: string | null;
      readonly subscriptionId: string | null;
      /** @description The worker that has it now. */
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly sentAt: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly DeadGroup: {
      readonly fingerprint: string;
      readonly transport: string;
      readonly class: components['schemas']['ErrorClass'];
      readonly code: string;
      /** @description As the server said it when it first happened. */
      readonly sample: string;
      readonly count: number;
      /** Format: date-time */
      readonly firstAt: string;
      /** Format: date-time */
      readonly lastAt: string;
      /** @description In words. */
      readonly cause: string;
      /** @description The names of those that it happened to. */
      readonly accounts: readonly string[];
      /** @description Deaths on each of the last seven days, today last. */
      readonly days: readonly number[];
      /**
       * @description `over`: it would likely leave. `change`: it would fail the same way. `untried`: nobody can tell yet.
       * @enum {string}
       */
      readonly outlook: 'over' | 'change' | 'untried';
      readonly sentence: string;
      /** @description What would happen. */
      readonly onRetry: string;
      /** @description Where in the pages the cause is dealt with. */
      readonly remedy: {
        readonly verb: string;
        readonly to: string;
      } | null;
      /** @description What left through the same accounts since. */
      readonly successesSince: number;
      readonly lastSuccessAt: string | null;
      /** @description The words of the server about the newest of them. */
      readonly lastReply: string;
      readonly newest: readonly {
        readonly id: string;
        readonly to: {
          readonly email: string;
          readonly name: string | null;
        };
        readonly subject: string;
        /** Format: date-time */
        readonly diedAt: string;
      }[];
    };
    /**
     * @description `act`: mail does not leave. `look`: it leaves, but something waits for a person, or lags.
     * @enum {string}
     */
    readonly Level: 'fine' | 'look' | 'act';
    readonly DeadLetters: {
      readonly items: readonly components['schemas']['DeadGroup'][];
      /** @description Ask with it for what follows; null: nothing does. */
      readonly nextCursor: string | null;
      readonly summary: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
        /** @description Those whose cause looks over. */
        readonly retryable: {
          readonly count: number;
          readonly fingerprints: readonly string[];
        };
      };
      /** @description What can be asked for, whatever is asked for now. */
      readonly transports: readonly string[];
      readonly classes: readonly components['schemas']['ErrorClass'][];
      /** @description Told when there are none: when the last one was dismissed. */
      readonly lastDismissedAt: string | null;
    };
    readonly BulkReport: {
      readonly done: number;
      /** @description Those that no longer allowed it, or are not there. */
      readonly conflicts: number;
      /** @description There is more that matches: ask again. */
      readonly more: boolean;
      /** @description The first of the conflicts. */
      readonly refused: readonly string[];
    };
    readonly GroupReport: {
      readonly done: number;
      /** @description Those that no longer allowed it, or are not there. */
      readonly conflicts: number;
      /** @description There is more that matches: ask again. */
      readonly more: boolean;
    };
    /** @enum {string} */
    readonly AttemptOutcome: 'success' | 'failed' | 'rate_limited' | 'in_doubt';
    readonly Attempt: {
      /** @description Counts from 1, the oldest first. */
      readonly number: number;
      readonly startedAt: string | null;
      /** @description From then on it may have left; null: it never came that far. */
      readonly handedOverAt: string | null;
      /** Format: date-time */
      readonly finishedAt: string;
      readonly outcome: components['schemas']['AttemptOutcome'];
      readonly errorClass: components['schemas']['ErrorClass'] | null;
      readonly errorCode: string | null;
      readonly errorMessage: string | null;
      readonly providerMessageId: string | null;
      readonly workerId: string | null;
    };
    readonly MessageDetail: {
      readonly id: string;
      /** @description Later ones have larger ones. */
      readonly number: number;
      readonly workspaceId: string;
      readonly lane: components['schemas']['Lane'];
      readonly action: components['schemas']['Action'];
      readonly accountId: string;
      readonly to: {
        readonly email: string;
        readonly name: string | null;
      };
      readonly subject: string | null;
      readonly state: components['schemas']['State'];
      readonly idempotencyKey: string | null;
      readonly dedupeKey: string;
      /** @description As in the header of the mail; the same on every try. */
      readonly messageId: string;
      /** Format: date-time */
      readonly scheduledFor: string;
      /** @description Since when it is with the broker, for the try to come. */
      readonly queuedAt: string | null;
      readonly nextAttemptAt: string | null;
      readonly attempts: number;
      readonly maxAttempts: number;
      /** @description So often a worker died, or was too slow, while it had this message. */
      readonly leaseLosses: number;
      readonly lastError: {
        /** @description Short and searchable. */
        readonly code: string;
        /** @description In the words of the server. */
        readonly message: string;
        readonly class: components['schemas']['ErrorClass'];
      } | null;
      readonly deadReason: ('permanent_error' | 'max_attempts' | 'poison') | null;
      /** @description Why it was skipped, held or cancelled, as a searchable word. */
      readonly reason: string | null;
      /** @description Why what waits will not leave at its time. */
      readonly rescheduleReason:
        | (
            | 'account_paused'
            | 'account_cooling'
            | 'outside_window'
            | 'holiday'
            | 'hourly_limit'
            | 'daily_limit'
            | 'weekly_limit'
            | 'monthly_limit'
            | 'ramp_up'
            | 'workspace_quota'
            | 'spacing'
          )
        | null;
      readonly expiresAt: string | null;
      readonly traceId: string | null;
      /** @description The name that the provider has for the conversation. */
      readonly threadId: string | null;
      readonly campaignId: string | null;
      readonly contactId: string | null;
      readonly sequenceId: string | null;
      readonly stepNumber: number | null;
      readonly eventId: string | null;
      readonly subscriptionId: string | null;
      /** @description The worker that has it now. */
      readonly lockedBy: string | null;
      readonly lockedUntil: string | null;
      readonly sentAt: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /** @description When the tries that are left would begin, the next one first. */
      readonly plannedAttempts: readonly string[];
      /** @description The try of the caller himself, which counts as none. */
      readonly inlineAttempt: components['schemas']['Attempt'] | null;
      /** @description The tries of the engine, the oldest first. */
      readonly attemptLog: readonly components['schemas']['Attempt'][];
    };
    readonly Explanation: {
      readonly state: components['schemas']['State'];
      /** @description A searchable word. */
      readonly reason: string;
      /** @description When that reason ends, if that is known. */
      readonly until: string | null;
      /** @description What is true now. */
      readonly headline: string;
      /** @description What the headline rests on. */
      readonly evidence: string | null;
      /** @description Both. */
      readonly sentence: string;
    };
    readonly Content: {
      readonly id: string;
      readonly messageId: string;
      readonly from: {
        readonly email: string;
        readonly name?: string;
      };
      readonly to: {
        readonly email: string;
        readonly name?: string;
      };
      readonly cc: readonly {
        readonly email: string;
        readonly name?: string;
      }[];
      readonly bcc: readonly {
        readonly email: string;
        readonly name?: string;
      }[];
      readonly replyTo: {
        readonly email: string;
        readonly name?: string;
      } | null;
      readonly subject: string;
      readonly text: string | null;
      readonly html: string | null;
      readonly calendar: {
        readonly content: string;
        readonly method: string;
      } | null;
      readonly attachments: readonly {
        readonly filename: string;
        readonly contentType: string;
        readonly contentId: string | null;
        readonly bytes: number;
      }[];
      readonly headers: {
        readonly [key: string]: string;
      };
      /** @description So many things it would fetch from elsewhere if it could. */
      readonly remoteImages: number;
    };
    readonly OutboxRow: {
      readonly id: string;
      readonly toAddress: string;
      readonly subject: string | null;
      /** @enum {string} */
      readonly status: 'pending' | 'failed';
      readonly state: components['schemas']['State'];
      readonly lane: components['schemas']['Lane'];
      readonly attempts: number;
      readonly maxAttempts: number;
      readonly nextRetryAt: string | null;
      readonly lastError: string | null;
      /** Format: date-time */
      readonly createdAt: string;
    };
    /** @description How many messages are in each state. */
    readonly Counts: {
      readonly scheduled: number;
      readonly retry_scheduled: number;
      readonly queued: number;
      readonly sending: number;
      readonly sent: number;
      readonly held: number;
      readonly dead: number;
      readonly skipped: number;
      readonly expired: number;
      readonly cancelled: number;
    };
    /** @description Something that goes on until a person decides. */
    readonly Need: {
      /** @enum {string} */
      readonly kind: 'no_worker' | 'late' | 'dead' | 'held' | 'account_paused';
      readonly count: number;
      readonly sentence: string;
      readonly advice?: string;
    };
    readonly AccountToday: {
      readonly id: string;
      readonly name: string;
      readonly emailAddress: string;
      readonly type: string;
      /** @description How it sends. */
      readonly transport: string;
      /** @enum {string} */
      readonly status: 'active' | 'paused';
      readonly pausedAt: string | null;
      readonly pauseReason: string | null;
      readonly cooldownUntil: string | null;
      readonly cooldownReason: string | null;
      readonly sentToday: number;
      readonly failedToday: number;
    };
    /** @description How many left, and how many tries failed, in each stretch of time from `at` on. */
    readonly Series: readonly {
      /** Format: date-time */
      readonly at: string;
      readonly sent: number;
      readonly failed: number;
    }[];
    readonly Dashboard: {
      readonly pendingEmailCount: number;
      readonly failedEmailCount: number;
      readonly heldEmailCount: number;
      readonly sentToday: number;
      readonly sentTodayByLane: {
        readonly outbox: number;
        readonly campaign: number;
        readonly notification: number;
      };
      readonly sendingNow: number;
      readonly oldestDueAgeSeconds: number;
      /** @description When the next of each may leave; null: nobody knows of one. */
      readonly next: {
        readonly retryAt: string | null;
        readonly scheduledAt: string | null;
      };
      readonly oldestHeldAgeSeconds: number | null;
      readonly deadToday: number;
      /** @description How many mails the development inbox holds; null: there is none. */
      readonly caught: number | null;
      readonly states: components['schemas']['Counts'];
      readonly health: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
        readonly needs: readonly components['schemas']['Need'][];
      };
      readonly workers: {
        readonly alive: number;
        /** @description Those of them that send; the others pass mail on to a broker. */
        readonly senders: number;
        readonly oldestSeenSeconds: number | null;
        readonly items: readonly {
          readonly name: string;
          /** @enum {string} */
          readonly kind: 'worker' | 'relay';
          /** Format: date-time */
          readonly seenAt: string;
        }[];
      };
      readonly accounts: readonly components['schemas']['AccountToday'][];
      readonly series: components['schemas']['Series'];
    };
    readonly DemoReport: {
      readonly messages: number;
      readonly pending: number;
      readonly sent: number;
      readonly dead: number;
      readonly held: number;
    };
    readonly Dkim: {
      readonly domain: string;
      readonly selector: string;
      /** @enum {string} */
      readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
      /** @description The TXT record to publish. */
      readonly record: {
        readonly name: string;
        readonly value: string;
      };
    };
    readonly PeriodLimit: {
      /** @enum {string} */
      readonly action: 'email' | 'message' | 'connection_request' | 'inmail';
      /** @enum {string} */
      readonly period: 'hour' | 'day' | 'week' | 'month';
      readonly max: number;
    };
    /** @description By weekday; a day that is missing is shut. Where given, sendingDays, startHour and endHour do not count. */
    readonly DayHours: {
      /** @description From when to when, in pairs. */
      readonly 1?: readonly (readonly string[])[];
      /** @description From when to when, in pairs. */
      readonly 2?: readonly (readonly string[])[];
      /** @description From when to when, in pairs. */
      readonly 3?: readonly (readonly string[])[];
      /** @description From when to when, in pairs. */
      readonly 4?: readonly (readonly string[])[];
      /** @description From when to when, in pairs. */
      readonly 5?: readonly (readonly string[])[];
      /** @description From when to when, in pairs. */
      readonly 6?: readonly (readonly string[])[];
      /** @description From when to when, in pairs. */
      readonly 7?: readonly (readonly string[])[];
    };
    readonly SendingWindow: {
      /** @description Monday is 1. */
      readonly sendingDays: readonly number[];
      readonly startHour: number;
      readonly endHour: number;
      readonly timezone: string;
      readonly hours?: components['schemas']['DayHours'];
    };
    readonly Account: {
      readonly id: string;
      readonly name: string;
      /** @enum {string} */
      readonly type: 'email' | 'linkedin';
      readonly emailAddress: string | null;
      readonly displayName: string | null;
      /** @description Made and kept by the process, from its own settings. */
      readonly isDefault: boolean;
      /** @description How it sends. Every secret is a mask; given back, it means the one that is stored. */
      readonly transport: {
        readonly kind: string;
        readonly url?: string;
        readonly ca?: string;
        readonly clientId?: string;
        readonly clientSecret?: string;
        readonly refreshToken?: string;
        readonly baseUrl?: string;
        readonly apiKey?: string;
        readonly accountId?: string;
        readonly directory?: string;
      };
      /** @description How its mail is signed; null: it is not, at least not here. */
      readonly dkim: components['schemas']['Dkim'] | null;
      readonly dailyLimitEmails: number;
      readonly dailyLimitMessages: number;
      readonly dailyLimitConnections: number;
      readonly dailyLimitInmails: number;
      /** @description By the local hour, day, week and month, beside the daily limits: all that apply hold. */
      readonly limits: readonly components['schemas']['PeriodLimit'][];
      /** @description Null: that of the workspace; so with the next three. */
      readonly window: components['schemas']['SendingWindow'] | null;
      readonly rampUp: {
        readonly enabled: boolean;
        readonly start: number;
        readonly step: number;
      } | null;
      readonly spacing: {
        readonly minSeconds: number;
        readonly maxSeconds: number;
      } | null;
      readonly holidays: readonly string[] | null;
      readonly maxConnections: number;
      /** @description Mails without an answer on each connection, where the server offers CHUNKING: all are in doubt if the line breaks. Guarded mail goes one at a time. */
      readonly mailsInFlight: number;
      /** @enum {string} */
      readonly status: 'active' | 'paused';
      readonly pauseReason: string | null;
      readonly cooldownUntil: string | null;
      readonly cooldownReason: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly AccountDay: {
      readonly action: components['schemas']['Action'];
      /** @description False: its mail leaves whatever its limits say. */
      readonly guarded: boolean;
      /**
       * @description shut: outside its hours.
       * @enum {string}
       */
      readonly standing: 'open' | 'full' | 'shut';
      /** @description When it may send again; null: now, or nobody knows. */
      readonly until: string | null;
      readonly limit: number;
      /** @description What has left, is under way or in doubt. */
      readonly used: number;
      /** @description What waits for today, as far as there is room. */
      readonly planned: number;
      /** @description What says so. */
      readonly binds: string;
      /** @description What would bind next, or when it opens. */
      readonly then: string | null;
    };
    readonly AccountWindow: {
      readonly timezone: string;
      /** @description As its clocks are called now. */
      readonly zone: string;
      /** @description From when to when today, in minutes of the local day. */
      readonly open: readonly (readonly number[])[];
      /** @description Now. */
      readonly minute: number;
    };
    readonly Bounced: {
      /** @description Of what it sent in those days. */
      readonly percent: number;
      readonly bounces: number;
      /** @description Counted up to 10,000, and where something bounced. */
      readonly sends: number;
      /** @description From there on it stops itself. */
      readonly limit: number;
      readonly days: number;
    };
    readonly AccountStanding: {
      readonly id: string;
      readonly level: components['schemas']['Level'];
      readonly sentence: string;
      /** @description What the sentence rests on. */
      readonly evidence: string;
      /** @description One an action. */
      readonly rows: readonly components['schemas']['AccountDay'][];
      /** @description What of its limits is used today, in a few words. */
      readonly limits: string;
      readonly window: components['schemas']['AccountWindow'];
      readonly bounced: components['schemas']['Bounced'];
      readonly sentToday: number;
      readonly failedToday: number;
      /** @description Counted up to 10,001. */
      readonly waiting: number;
      readonly lastTry: {
        /** Format: date-time */
        readonly at: string;
        readonly outcome: components['schemas']['AttemptOutcome'];
      } | null;
    };
    readonly AccountsStanding: {
      readonly level: components['schemas']['Level'];
      readonly sentence: string;
      /** @description What the sentence rests on. */
      readonly evidence: string;
      /** @description Guarded emails of all accounts; null: there are none. */
      readonly today: {
        readonly used: number;
        readonly limit: number;
      } | null;
      /** @description An account that stopped itself. */
      readonly stopped: string | null;
      readonly items: readonly components['schemas']['AccountStanding'][];
    };
    readonly Verification: {
      readonly ok: boolean;
      /** @description What a send would meet now; null if nothing stands in its way. */
      readonly error: {
        /** @description Short and searchable. */
        readonly code: string;
        /** @description In the words of the server. */
        readonly message: string;
        readonly class: components['schemas']['ErrorClass'];
      } | null;
      /** @description What receivers find in DNS about its address; empty where nobody would look. */
      readonly records: readonly {
        /** @enum {string} */
        readonly kind: 'spf' | 'dkim' | 'dmarc';
        /** @enum {string} */
        readonly level: 'fine' | 'look' | 'act';
        readonly sentence: string;
      }[];
    };
    readonly Activity: {
      readonly message: {
        readonly id: string;
        readonly lane: components['schemas']['Lane'];
        readonly action: components['schemas']['Action'];
        readonly to: {
          readonly email: string;
          readonly name: string | null;
        };
        readonly subject: string | null;
      };
      /** @description The try of the caller himself, in his own process. */
      readonly inline: boolean;
      readonly startedAt: string | null;
      /** @description From then on it may have left; null: it never came that far. */
      readonly handedOverAt: string | null;
      /** Format: date-time */
      readonly finishedAt: string;
      readonly outcome: components['schemas']['AttemptOutcome'];
      readonly errorClass: components['schemas']['ErrorClass'] | null;
      readonly errorCode: string | null;
      readonly errorMessage: string | null;
      readonly providerMessageId: string | null;
      readonly workerId: string | null;
    };
    /** @enum {string} */
    readonly AccountAction: 'email' | 'message' | 'connection_request' | 'inmail';
    readonly Quota: {
      /** @description The account's local date, or the workspace's. */
      readonly date: string;
      readonly limit: number;
      /** @description What has left, is under way or in doubt. */
      readonly sent: number;
      /** @description What waits for a time on that date; today also what is late. */
      readonly planned: number;
      readonly remaining: number;
      /** @description On how many days something was sent before, and one. */
      readonly dayNumber: number;
    };
    readonly Limit: {
      /**
       * @description limit: one of the account itself, by period.
       * @enum {string}
       */
      readonly kind: 'window' | 'limit' | 'ramp_up' | 'total' | 'spacing';
      /** @enum {string} */
      readonly period?: 'hour' | 'day' | 'week' | 'month';
      /** @description Null: as many as you like. */
      readonly max: number | null;
      readonly used: number;
    };
    readonly Capacity: {
      readonly date: string;
      readonly limit: number;
      readonly used: number;
      readonly planned: number;
      /** @description What could still be planned for that date and leave on it. */
      readonly remaining: number;
      readonly binding: components['schemas']['Limit'];
      /** @description What would bind next. */
      readonly next: components['schemas']['Limit'] | null;
      /** @description Of the window that is open, else of the next. */
      readonly opensAt: string | null;
      readonly closesAt: string | null;
    };
    readonly PaceDay: {
      /** @description Of all days on which the account sends, the first is 1. */
      readonly number: number;
      readonly date: string;
      readonly sent: number;
      /** @description As what waits now would leave. */
      readonly planned: number;
      /** @description What ramp-up lets it do on such a day. */
      readonly quota: number;
    };
    readonly AccountPace: {
      readonly accountId: string;
      readonly action: components['schemas']['Action'];
      /** @description What it may do at most in a day. */
      readonly limit: number;
      /** @description What all accounts may do together. */
      readonly total: number;
      /** @description Null: it has none. */
      readonly rampUp: {
        readonly start: number;
        readonly step: number;
      } | null;
      readonly timezone: string;
      /** @description Today's. */
      readonly number: number;
      /** @description Up to five before today, today, and those to come: 15. */
      readonly days: readonly components['schemas']['PaceDay'][];
      /** @description Today, or on the next day on which it opens. */
      readonly opensAt: string | null;
      readonly closesAt: string | null;
      /** @description When what left today was handed over; the last 400. */
      readonly sent: readonly string[];
      /** @description When what waits for today would leave; the first 400. */
      readonly planned: readonly string[];
      /** @description When the next would leave. */
      readonly next: string | null;
      /** @description Everything that holds for it, in words. */
      readonly facts: readonly {
        readonly name: string;
        readonly value: string;
        /**
         * @description usual: nobody has said anything.
         * @enum {string}
         */
        readonly from: 'own' | 'workspace' | 'usual';
      }[];
    };
    readonly PeriodUse: {
      readonly used: number;
      readonly planned: number;
      readonly max: number;
    };
    readonly NearAccount: {
      readonly accountId: string;
      readonly action: components['schemas']['Action'];
      readonly periods: {
        /** @description Null: no limit. */
        readonly hour: components['schemas']['PeriodUse'] | null;
        /** @description Null: no limit. */
        readonly day: components['schemas']['PeriodUse'] | null;
        /** @description Null: no limit. */
        readonly week: components['schemas']['PeriodUse'] | null;
        /** @description Null: no limit. */
        readonly month: components['schemas']['PeriodUse'] | null;
      };
      /** @description The smallest time between two that left today. */
      readonly closestMs: number | null;
    };
    readonly Nearness: {
      /** @description Those nearest to a limit first; 200 at most. */
      readonly items: readonly components['schemas']['NearAccount'][];
      /** @description Days for which something is planned. */
      readonly days: readonly {
        readonly date: string;
        /** @description What all accounts have, today with what has left. */
        readonly planned: number;
        /** @description What they may have. */
        readonly room: number;
      }[];
    };
    readonly Violation: {
      readonly id: string;
      readonly accountId: string;
      readonly action: components['schemas']['AccountAction'];
      /** @enum {string} */
      readonly limit: 'window' | 'hour' | 'day' | 'week' | 'month' | 'ramp_up' | 'total' | 'spacing';
      /** @description A local date, a week's Monday, a month, or an hour's instant. */
      readonly when: string;
      readonly planned: number;
      readonly max: number;
      readonly over: number;
      readonly cause: string;
      readonly moves: readonly {
        readonly from: string;
        /** @description Null: there is no room in sight. */
        readonly to: string | null;
        readonly count: number;
      }[];
    };
    readonly LimitBreach: {
      readonly accountId: string;
      readonly action: components['schemas']['AccountAction'];
      /** @enum {string} */
      readonly limit: 'window' | 'hour' | 'day' | 'week' | 'month' | 'ramp_up' | 'total' | 'spacing';
      /** @description A local date, a week's Monday, a month, or an hour's instant. */
      readonly when: string;
      readonly sent: number;
      readonly max: number;
      readonly over: number;
    };
    readonly LimitsCheck: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
      };
      readonly items: readonly components['schemas']['Violation'][];
      /** @description What has left against the rules that hold now, since they do and within two weeks. */
      readonly left: readonly components['schemas']['LimitBreach'][];
      /** @description Ask with it for what follows; null: nothing does. */
      readonly nextCursor: string | null;
    };
    readonly FixedLimits: {
      readonly moved: number;
      /** @description For which there is no room in sight. */
      readonly left: number;
    };
    readonly OpenWindow: {
      readonly open: boolean;
      /** @description Of the window that is open, else of the next. */
      readonly opensAt: string | null;
      readonly closesAt: string | null;
    };
    readonly SendingPreview: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
      /** @description What it would do to what waits; empty: nothing. */
      readonly effect: string;
      /** @description So many of what waits would leave on another day. */
      readonly moved: number;
      readonly earlier: number;
      readonly later: number;
      /** @description Those for which there would be no time at all. */
      readonly never: number;
      /** @description By the calendar of each account. */
      readonly days: readonly {
        /** @description Or: never. */
        readonly date: string;
        readonly now: number;
        readonly then: number;
      }[];
      /** @description Those with something waiting; none if too much waits to look at all of it. */
      readonly campaigns: readonly {
        readonly id: string;
        readonly name: string;
        /** Format: date-time */
        readonly endsAt: string;
        /** @description Null: something of it could never leave. */
        readonly wouldEndAt: string | null;
      }[];
      /** @description The workspace's, as it is and as it would be. */
      readonly window: {
        readonly now: components['schemas']['OpenWindow'];
        readonly then: components['schemas']['OpenWindow'];
      };
    };
    /** @enum {string} */
    readonly CampaignState: 'draft' | 'running' | 'paused' | 'stopped' | 'completed';
    readonly CampaignDetail: {
      readonly id: string;
      readonly name: string;
      readonly state: components['schemas']['CampaignState'];
      /** @description Null: ready-made messages only. */
      readonly sequenceId: string | null;
      /** @description Pinned at its launch. */
      readonly sequenceVersion: number | null;
      readonly accountIds: readonly string[];
      /**
       * @description Whose window holds.
       * @enum {string}
       */
      readonly timezone: 'account' | 'recipient';
      readonly stopOnReply: boolean;
      readonly startAt: string | null;
      readonly endAt: string | null;
      readonly dailyLimit: number | null;
      readonly maxNewPerDay: number | null;
      /** @enum {string} */
      readonly prioritize: 'followups' | 'new';
      readonly acceptanceDays: number;
      /** @enum {string} */
      readonly deal: 'roundRobin' | 'capacity';
      readonly people: number;
      readonly progress: {
        /** @description All messages that were planned. */
        readonly total: number;
        readonly sent: number;
        readonly sentToday: number;
        /** @description What is still to leave today. */
        readonly planToday: number;
      };
      readonly next: {
        /** Format: date-time */
        readonly at: string;
        readonly accountId: string;
      } | null;
      /** @description When the last message leaves, as things are. */
      readonly endsAt: string | null;
      /** @description The same, as it was first planned. */
      readonly plannedEndsAt: string | null;
      readonly replied: number;
      readonly holdUp: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly verb: string;
        readonly to: string;
        /** @description What it waits for: an account by its name, or somebody. */
        readonly awaits: string;
      } | null;
      readonly launchedAt: string | null;
      readonly pausedAt: string | null;
      readonly pauseReason: string | null;
      /** @description Who paused or stopped it, where that is known. */
      readonly decidedBy: string | null;
      readonly finishedAt: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence?: string;
      };
      readonly sequenceName: string | null;
      /** @description What waits or is on its way. */
      readonly waiting: number;
      readonly peopleBy: {
        readonly active: number;
        readonly paused: number;
        readonly replied: number;
        readonly bounced: number;
        readonly complained: number;
        readonly unsubscribed: number;
        readonly stopped: number;
      };
      readonly steps: readonly {
        readonly order: number;
        readonly action: components['schemas']['Action'];
        /** @description Null: it goes on in the thread. */
        readonly subject: string | null;
        readonly delayDays: number;
        /** @enum {string} */
        readonly delayUnit: 'days' | 'sendingDays' | 'hours';
        readonly sent: number;
        readonly planned: number;
        /** @description Cancelled, skipped or expired. */
        readonly stopped: number;
        /** @description Dead or held. */
        readonly dead: number;
        readonly replied: number;
      }[];
    };
    readonly Campaign: {
      readonly id: string;
      readonly name: string;
      readonly state: components['schemas']['CampaignState'];
      /** @description Null: ready-made messages only. */
      readonly sequenceId: string | null;
      /** @description Pinned at its launch. */
      readonly sequenceVersion: number | null;
      readonly accountIds: readonly string[];
      /**
       * @description Whose window holds.
       * @enum {string}
       */
      readonly timezone: 'account' | 'recipient';
      readonly stopOnReply: boolean;
      readonly startAt: string | null;
      readonly endAt: string | null;
      readonly dailyLimit: number | null;
      readonly maxNewPerDay: number | null;
      /** @enum {string} */
      readonly prioritize: 'followups' | 'new';
      readonly acceptanceDays: number;
      /** @enum {string} */
      readonly deal: 'roundRobin' | 'capacity';
      readonly people: number;
      readonly progress: {
        /** @description All messages that were planned. */
        readonly total: number;
        readonly sent: number;
        readonly sentToday: number;
        /** @description What is still to leave today. */
        readonly planToday: number;
      };
      readonly next: {
        /** Format: date-time */
        readonly at: string;
        readonly accountId: string;
      } | null;
      /** @description When the last message leaves, as things are. */
      readonly endsAt: string | null;
      /** @description The same, as it was first planned. */
      readonly plannedEndsAt: string | null;
      readonly replied: number;
      readonly holdUp: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly verb: string;
        readonly to: string;
        /** @description What it waits for: an account by its name, or somebody. */
        readonly awaits: string;
      } | null;
      readonly launchedAt: string | null;
      readonly pausedAt: string | null;
      readonly pauseReason: string | null;
      /** @description Who paused or stopped it, where that is known. */
      readonly decidedBy: string | null;
      readonly finishedAt: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly CampaignList: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence?: string;
        /** @description What somebody has to do something about, the most urgent first. */
        readonly needs: readonly {
          readonly level: components['schemas']['Level'];
          readonly sentence: string;
          readonly verb: string;
          readonly to: string;
        }[];
      };
      readonly items: readonly components['schemas']['Campaign'][];
      /** @description Ask with it for what follows; null: nothing does. */
      readonly nextCursor: string | null;
      readonly counts: {
        readonly draft: number;
        readonly running: number;
        readonly paused: number;
        readonly stopped: number;
        readonly completed: number;
      };
    };
    readonly CampaignRoom: {
      readonly days: readonly {
        readonly date: string;
        /** @description What has left on it, or is leaving. */
        readonly sent: number;
        /** @description What is still to leave on it. */
        readonly planned: number;
        readonly capacity: number;
      }[];
    };
    readonly DryRun: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence?: string;
      };
      readonly total: number;
      /** @description People who would get something of it. */
      readonly mailed: number;
      /** Format: date-time */
      readonly countedAt: string;
      readonly firstAt: string | null;
      readonly lastAt: string | null;
      /** @description When the last of them gets the first of it. */
      readonly reachesAllAt: string | null;
      /** @description Which a launch would pin, or has pinned. */
      readonly sequenceVersion: number | null;
      readonly days: readonly {
        readonly date: string;
        readonly accountId: string;
        readonly count: number;
        readonly quota: number;
      }[];
      readonly capacity: readonly {
        readonly accountId: string;
        readonly perDay: number;
        readonly binding: components['schemas']['Limit'];
        readonly next: components['schemas']['Limit'] | null;
        /** @description The local date of its last message. */
        readonly doneOn: string | null;
      }[];
      readonly warnings: readonly {
        readonly code: string;
        /**
         * @description block: nothing could ever leave.
         * @enum {string}
         */
        readonly level: 'block' | 'read' | 'note';
        readonly sentence: string;
        readonly count: number;
        /** @description Where to do something about it. */
        readonly to: string | null;
        readonly verb: string | null;
        /** @description What the verb does at once; null: it leads there. */
        readonly act: ('leave_out' | 'make_holiday') | null;
        /** @description Whom it concerns: a filter of the people. */
        readonly concern: string | null;
        /** @description The local date that it is about. */
        readonly date: string | null;
      }[];
    };
    readonly Simulation: {
      /**
       * Format: date-time
       * @description From when on it was looked ahead.
       */
      readonly startedAt: string;
      /**
       * Format: date-time
       * @description How far it was looked ahead, at most.
       */
      readonly until: string;
      /** @description The dates on which something leaves. */
      readonly days: readonly {
        /** @description A local date of the account. */
        readonly date: string;
        readonly accountId: string;
        /** @description What leaves of the campaign. */
        readonly sent: number;
        /** @description What else the account sends. */
        readonly others: number;
        /** @description What the account may send on that date. */
        readonly quota: number;
      }[];
      readonly accounts: readonly {
        readonly accountId: string;
        readonly name: string;
        readonly sent: number;
        readonly others: number;
        /** @description Of what it may send on those dates, from 0 to 1. */
        readonly use: number;
      }[];
      /** @description Of the campaign: what leaves in that time. */
      readonly sent: number;
      /** @description What would still wait at the end of it. */
      readonly waiting: number;
      /** @description What has ended without leaving. */
      readonly ended: number;
      /** @description When the last message leaves; null: not in that time. */
      readonly endsAt: string | null;
      /** @description What left against a window, a limit, a spacing or its order. There should be none. */
      readonly violations: readonly {
        /** @enum {string} */
        readonly kind:
          | 'window'
          | 'hour'
          | 'day'
          | 'week'
          | 'month'
          | 'ramp_up'
          | 'total'
          | 'spacing'
          | 'order'
          | 'twice'
          | 'ended'
          | 'campaign_start'
          | 'campaign_day'
          | 'campaign_new';
        /** @description Null: all accounts together. */
        readonly accountId: string | null;
        readonly when: string;
        readonly sentence: string;
      }[];
      readonly warnings: readonly string[];
    };
    readonly SchedulingResult: {
      /** @description Messages that this call stored. */
      readonly scheduled: number;
      /** @description Those that were there already, and those that are left out. */
      readonly skipped: number;
      readonly errors: readonly string[];
      readonly warnings: readonly string[];
    };
    readonly SchedulingUnderWay: {
      readonly progress: {
        /** @description In messages. */
        readonly planned: number;
        readonly total: number;
        /** @description Null: nobody knows yet. */
        readonly etaSeconds: number | null;
      };
    };
    readonly ScheduleStatus: {
      readonly status: components['schemas']['CampaignState'];
      /** @description What waits or is on its way. */
      readonly scheduled: number;
      readonly sent: number;
      readonly failed: number;
      readonly cancelled: number;
      readonly progress: {
        /** @description In messages. */
        readonly planned: number;
        readonly total: number;
        /** @description Null: nobody knows yet. */
        readonly etaSeconds: number | null;
      };
    };
    readonly CampaignCalendar: {
      readonly days: readonly {
        readonly date: string;
        readonly accountId: string;
        readonly planned: number;
        readonly sent: number;
        /** @description As it was first planned. */
        readonly launched: number;
        readonly quota: number;
      }[];
    };
    readonly CampaignResumption: {
      /**
       * Format: date-time
       * @description It is counted again after some minutes.
       */
      readonly countedAt: string;
      /** @description Null: it is not paused, or it can not be known. */
      readonly sentence: string | null;
      /** @description Null: now, if at all. */
      readonly by: string | null;
      readonly endsAt: string | null;
      readonly holdsUntil: string | null;
      /** @description How many would leave after that if it were resumed now. */
      readonly late: number;
    };
    readonly Happenings: {
      readonly items: readonly {
        /** Format: date-time */
        readonly at: string;
        readonly state: components['schemas']['State'];
        readonly contactId: string | null;
        readonly name: string | null;
        readonly email: string | null;
        /** @description Null: it is about the person. */
        readonly messageId: string | null;
        readonly step: number | null;
        readonly accountId: string | null;
        /** @description What a server said, or why the person left it. */
        readonly note: string | null;
      }[];
    };
    readonly PersonInCampaign: {
      readonly contactId: string;
      readonly name: string | null;
      readonly email: string | null;
      /** @enum {string} */
      readonly status:
        'active' | 'paused' | 'replied' | 'bounced' | 'complained' | 'unsubscribed' | 'stopped' | 'finished';
      readonly steps: readonly {
        readonly order: number;
        readonly state: components['schemas']['State'];
        /** Format: date-time */
        readonly at: string;
      }[];
      readonly accountId: string | null;
      readonly nextAt: string | null;
      readonly why: string | null;
    };
    readonly LeftOut: {
      readonly removed: number;
      /** @description Not all of them yet: ask again. */
      readonly more: boolean;
    };
    readonly SequenceStep: {
      readonly order: number;
      /** @description After the step before it, in `delayUnit`. */
      readonly delayDays: number;
      /** @enum {string} */
      readonly delayUnit: 'days' | 'sendingDays' | 'hours';
      /** @enum {string} */
      readonly action: 'email' | 'message' | 'connection_request' | 'inmail';
      /** @description Null: it goes on in the thread. */
      readonly subject: string | null;
      /** @description Html, or a text if it holds no markup; Liquid. */
      readonly body: string;
      /** @description Null: it is made of the body. */
      readonly bodyText: string | null;
    };
    readonly Sequence: {
      readonly id: string;
      readonly name: string;
      /** @description Saving other steps makes the next one. */
      readonly version: number;
      /** @description The campaigns that say it. */
      readonly usedBy: {
        readonly campaigns: number;
        /** @description Of those. */
        readonly running: number;
      };
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      readonly steps: readonly components['schemas']['SequenceStep'][];
    };
    readonly SequenceHead: {
      readonly id: string;
      readonly name: string;
      /** @description Saving other steps makes the next one. */
      readonly version: number;
      /** @description The campaigns that say it. */
      readonly usedBy: {
        readonly campaigns: number;
        /** @description Of those. */
        readonly running: number;
      };
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly SequenceList: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
      readonly items: readonly components['schemas']['SequenceHead'][];
      /** @description Ask with it for what follows; null: nothing does. */
      readonly nextCursor: string | null;
    };
    readonly SequenceCheck: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
      readonly faults: readonly {
        readonly step: number;
        /** @enum {string} */
        readonly part: 'subject' | 'body' | 'bodyText';
        readonly line: number;
        /** @description For people. */
        readonly sentence: string;
        /** @description How many people’s mail would not be sent, of those that were looked at. */
        readonly count: number;
        /** @description It can not be saved like this. */
        readonly blocks: boolean;
        /** @description What may be meant. */
        readonly suggestion: string | null;
      }[];
      readonly variables: readonly {
        readonly name: string;
        /** @description Of how many people it is known. */
        readonly filled: number;
        /** @description Of how many that were looked at: the newest. */
        readonly of: number;
        /** @description What somebody has. */
        readonly example: string | null;
      }[];
    };
    readonly PeopleWalk: {
      /** @description Whom it is about: the newest, if nobody was asked for. */
      readonly contactId: string | null;
      readonly sentence: string;
      /** @description Who comes before, the newest first. */
      readonly previousId: string | null;
      /** @description Who comes after. */
      readonly nextId: string | null;
      /** @description The first 50 of those that are walked through. */
      readonly items: readonly {
        readonly id: string;
        readonly name: string | null;
        readonly email: string | null;
        readonly linkedinId: string | null;
        readonly attributes: {
          readonly [key: string]: string | number | boolean;
        };
      }[];
      readonly lacking: {
        /** @description Of the newest 5,000 people: whose mail would not be sent. */
        readonly count: number;
        readonly sentence: string;
        /** @description The newest of them. */
        readonly firstId: string | null;
      };
    };
    readonly AttributesInUse: {
      readonly items: readonly {
        readonly name: string;
        readonly sequences: readonly {
          readonly id: string;
          readonly name: string;
        }[];
      }[];
    };
    readonly SequencePreview: {
      readonly subject: string;
      /** @description Null for what leaves by LinkedIn. */
      readonly html: string | null;
      readonly text: string;
      /** @description How many its html would fetch from elsewhere. */
      readonly remoteImages: number;
      readonly from: string;
      /** @description Who would send it. */
      readonly accountId: string;
      readonly headers: {
        readonly [key: string]: string;
      };
    };
    readonly StepResults: {
      readonly items: readonly {
        readonly step: number;
        readonly sent: number;
        /** @description People whose first reply came after it, before the next one was sent to them. */
        readonly replied: number;
        readonly sentence: string;
      }[];
      /** @description What they count, if that is not every campaign that says it. */
      readonly sentence: string | null;
    };
    readonly Template: {
      readonly id: string;
      readonly version: string;
      readonly locale: string;
      /** @description Liquid. */
      readonly subject: string;
      /** @description Liquid; what is put in is escaped. */
      readonly html: string | null;
      /** @description Null: it is made of the html. */
      readonly text: string | null;
      /** @description What the html was made of, if it was. */
      readonly mjml: string | null;
      /** @description What readers of other locales get; null: no mail, and `template_missing_locale`. */
      readonly fallbackLocale: string | null;
      /**
       * @description How the letters of its locale run.
       * @enum {string}
       */
      readonly direction: 'ltr' | 'rtl';
      /** @description What it reads. */
      readonly variables: readonly {
        readonly name: string;
        /** @description Without it there is no mail. */
        readonly required: boolean;
      }[];
      /** @description Mail has left with it: it never changes again. */
      readonly isUsed: boolean;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly TemplatePreview: {
      /** @description Null, as the parts are, if there would be no mail. */
      readonly subject: string | null;
      readonly html: string | null;
      readonly text: string | null;
      /** @description The one that was chosen. */
      readonly locale: string | null;
      /**
       * @description How the letters of its locale run.
       * @enum {string}
       */
      readonly direction: 'ltr' | 'rtl';
      readonly headers: {
        readonly [key: string]: string;
      };
      /** @description How many its html would fetch from elsewhere. */
      readonly remoteImages: number;
      /** @description Why a mail would not leave. */
      readonly faults: readonly {
        readonly code: string;
        /** @description For people. */
        readonly message: string;
      }[];
    };
    readonly TemplateCheck: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
      readonly texts: readonly {
        readonly locale: string;
        readonly language: string;
        /**
         * @description How the letters of its locale run.
         * @enum {string}
         */
        readonly direction: 'ltr' | 'rtl';
        /** @description Active subscriptions that get this text. */
        readonly readers: number;
        /** @description Locales that get it because there is none of their own. */
        readonly alsoFor: readonly string[];
        /** @description For people; where nothing is wrong. */
        readonly verdict: string;
        readonly faults: readonly {
          /** @enum {string} */
          readonly part: 'subject' | 'html' | 'text' | 'mjml';
          readonly line: number;
          /** @description For people. */
          readonly sentence: string;
          /** @description What it reads that is not there. */
          readonly name: string | null;
          /** @description What may be meant. */
          readonly suggestion: string | null;
          /** @description How many people could be hit. */
          readonly count: number;
          /** @description It should not be saved like this. */
          readonly blocks: boolean;
        }[];
      }[];
      /** @description What may be put into them. */
      readonly variables: readonly {
        readonly name: string;
        /** @description How many of the last events have it. */
        readonly filled: number;
        readonly of: number;
        readonly example: string | null;
      }[];
    };
    readonly TemplateHead: {
      readonly id: string;
      /** @description The newest. */
      readonly version: string;
      /** @description How many there are. */
      readonly versions: number;
      /** @description Of the newest. */
      readonly locales: readonly string[];
      /** @description How many topics the last 1,000 events are about that name it. */
      readonly topics: number;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly TemplateHeads: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
      readonly items: readonly components['schemas']['TemplateHead'][];
      /** @description Ask with it for what follows; null: nothing does. */
      readonly nextCursor: string | null;
    };
    readonly TemplateStanding: {
      readonly usedBy: {
        /** @description Those of the last 1,000 events that name it. */
        readonly topics: number;
        /** @description Active ones of these topics. */
        readonly subscriptions: number;
        /** @description There are more than were counted. */
        readonly isMore: boolean;
      };
      /** @description The newest few, newest first. */
      readonly versions: readonly {
        readonly version: string;
        /** Format: date-time */
        readonly createdAt: string;
        /** @description Mail has left with it: it never changes again. */
        readonly isUsed: boolean;
        /** @description For people. */
        readonly sentence: string;
      }[];
      readonly matrix: readonly {
        readonly locale: string;
        /** @description Of each of these versions. `faulty`: it needs what some of the last events lack. */
        readonly cells: readonly ('whole' | 'faulty' | 'none')[];
      }[];
      /** @description The last ones that name it, newest first. */
      readonly events: readonly {
        readonly id: string;
        readonly topic: string;
        /** Format: date-time */
        readonly at: string;
      }[];
      /** @description Locales that people read and no text serves, the most read first. */
      readonly missing: readonly {
        readonly locale: string;
        readonly count: number;
        /** @description Mails that died of it. */
        readonly died: number;
      }[];
    };
    readonly TemplateDetail: {
      readonly id: string;
      readonly version: string;
      /** @description What readers of other locales get; null: no mail, and `template_missing_locale`. */
      readonly fallbackLocale: string | null;
      /** @description All of them, newest first. */
      readonly versions: readonly string[];
      /** @description The texts of this version. */
      readonly locales: readonly components['schemas']['Template'][];
    };
    readonly Contact: {
      readonly id: string;
      /** @description As it was given; compared in its canonical form. */
      readonly email: string | null;
      readonly name: string | null;
      readonly linkedinId: string | null;
      readonly timezone: string | null;
      readonly attributes: {
        readonly [key: string]: string | number | boolean;
      };
      /** @description Why the address is not written to; null: it is. */
      readonly suppression: {
        /** @enum {string} */
        readonly reason: 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual';
        /** @description In which lanes; null: in all. */
        readonly lanes: readonly components['schemas']['Lane'][] | null;
        /** Format: date-time */
        readonly createdAt: string;
      } | null;
      /** @description The last import that named this contact. */
      readonly importId: string | null;
      /** @description In which line of its file. */
      readonly importLine: number | null;
      /** @description What that line did: new, unchanged, or what it updated. */
      readonly importDid: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
      /** @description In which campaigns the person is or was: the three newest. */
      readonly campaigns: readonly {
        readonly id: string;
        readonly name: string;
        /** @enum {string} */
        readonly status:
          'active' | 'paused' | 'replied' | 'bounced' | 'complained' | 'unsubscribed' | 'stopped';
      }[];
    };
    readonly Import: {
      readonly id: string;
      /** @enum {string} */
      readonly state: 'uploading' | 'mapping' | 'running' | 'done' | 'stopped';
      readonly fileName: string | null;
      readonly bytes: number;
      readonly encoding: string;
      readonly separator: string;
      readonly columns: readonly {
        readonly name: string;
        readonly samples: readonly string[];
        /** @description In how many lines something stands there. */
        readonly filled: number;
        /** @description What it would become. */
        readonly proposed: string | null;
      }[];
      /** @description What each column becomes; null: not chosen yet. */
      readonly mapping: {
        readonly [key: string]: string | null;
      } | null;
      /** @description Lines of the file, without the first one and blank ones. */
      readonly lines: number;
      readonly done: number;
      /** @description Contacts that are new. */
      readonly imported: number;
      /** @description Lines that named somebody who was known. */
      readonly updated: number;
      /** @description Lines that were left out. */
      readonly rejected: number;
      /** @description Lines with an address that is not written to: kept, and still not written to. */
      readonly suppressed: number;
      /** @description Why lines were left out. */
      readonly reasons: readonly {
        /** @enum {string} */
        readonly reason:
          'broken' | 'address' | 'unreachable' | 'time_zone' | 'name' | 'linkedin_id' | 'attribute' | 'taken';
        readonly count: number;
      }[];
      /** @description How long the rest may take; null: not known. */
      readonly etaSeconds: number | null;
      /** @description Since it was begun; null: not known. */
      readonly linesPerSecond: number | null;
      readonly plate: {
        /** @enum {string} */
        readonly level: 'fine' | 'look' | 'act';
        readonly sentence: string;
        readonly evidence: string;
      };
      /** @description Whoever is in the file is put at the end of its line as he comes in. */
      readonly campaign: {
        readonly id: string;
        readonly name: string;
      } | null;
      /** @description People who were put into it; who was in it already does not count. */
      readonly enrolled: number;
      /** @description People whom it did not take, because it was stopped meanwhile. */
      readonly notEnrolled: number;
      /** Format: date-time */
      readonly createdAt: string;
      readonly startedAt: string | null;
      readonly finishedAt: string | null;
    };
    readonly ContactsStanding: {
      /** @description How many there are, as far as they are counted. */
      readonly contacts: number;
      /** @description False: there are more. */
      readonly isAll: boolean;
      /** @description Files that wait or are being imported, newest first. */
      readonly open: readonly components['schemas']['Import'][];
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
    };
    readonly Enrolment: {
      readonly campaignId: string;
      /** @description Its name. */
      readonly campaign: string;
      /** @enum {string} */
      readonly campaignState: 'draft' | 'running' | 'paused' | 'stopped' | 'completed';
      /** @enum {string} */
      readonly status:
        'active' | 'paused' | 'replied' | 'bounced' | 'complained' | 'unsubscribed' | 'stopped' | 'finished';
      readonly steps: readonly {
        readonly order: number;
        readonly state: components['schemas']['State'];
        /** Format: date-time */
        readonly at: string;
      }[];
      readonly accountId: string | null;
      readonly nextAt: string | null;
      readonly why: string | null;
    };
    readonly ImportedFile: {
      readonly id: string;
      /** @description Contacts that are new. */
      readonly imported: number;
      /** @description Lines that named somebody who was known. */
      readonly updated: number;
      /** @description Lines that were left out, the first ten thousand of them. */
      readonly rejected: readonly {
        readonly line: number;
        readonly reason: string;
      }[];
      /** @description All lines that were left out. */
      readonly rejectedTotal: number;
      /** @description People who were put into the campaign; who was in it already does not count. */
      readonly enrolled: number;
      /** @description People whom it did not take, because it was stopped meanwhile. */
      readonly notEnrolled: number;
    };
    readonly ImportLook: {
      /** @description How many lines were looked at: the first of the file. */
      readonly lines: number;
      /** @description Lines that name somebody who is known, and would be updated. */
      readonly known: number;
      /** @description Lines with an address that is not written to: it would stay so. */
      readonly suppressed: number;
      /** @description Lines that would be left out. */
      readonly rejected: number;
      /** @description Why they would. */
      readonly reasons: readonly {
        /** @enum {string} */
        readonly reason:
          'broken' | 'address' | 'unreachable' | 'time_zone' | 'name' | 'linkedin_id' | 'attribute' | 'taken';
        readonly count: number;
      }[];
    };
    readonly RejectedLine: {
      readonly line: number;
      /** @enum {string} */
      readonly code:
        'broken' | 'address' | 'unreachable' | 'time_zone' | 'name' | 'linkedin_id' | 'attribute' | 'taken';
      readonly reason: string;
      /** @description What stands there. */
      readonly cells: readonly string[];
    };
    readonly Event: {
      readonly id: string;
      /** @description Later ones have larger ones. */
      readonly number: number;
      /** @description By the payload, where that has a title; else its type. */
      readonly title: string;
      readonly type: string;
      readonly topic: string;
      readonly dedupeKey: string | null;
      readonly traceId: string | null;
      readonly template: {
        readonly id: string;
        readonly version: string | null;
      };
      /**
       * Format: date-time
       * @description When it happened.
       */
      readonly eventAt: string;
      /** @description Nobody is told at or after this. */
      readonly expiresAt: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description A key, a person, or a program; null: a version that did not note it. */
      readonly publishedBy: string | null;
      readonly repeatedAt: string | null;
      readonly cancelledAt: string | null;
      readonly cancelledBy: string | null;
      /** @description Active subscriptions of its topic when it was published. */
      readonly matched: number;
      readonly progress: {
        /** @description How many of them were passed. */
        readonly seen: number;
        readonly total: number;
        readonly done: boolean;
      };
      /** @description Messages by state, and who was left out among `skipped`; all that wait are `scheduled`. */
      readonly counts: {
        readonly scheduled: number;
        readonly retry_scheduled: number;
        readonly queued: number;
        readonly sending: number;
        readonly sent: number;
        readonly held: number;
        readonly dead: number;
        readonly skipped: number;
        readonly expired: number;
        readonly cancelled: number;
      };
      /** @description Why, of what was not simply told; of one event also why what waits has not left. */
      readonly reasons: readonly {
        readonly state: components['schemas']['State'];
        readonly reason: string;
        readonly count: number;
        readonly sentence: string;
      }[];
      /** @description In a few words. */
      readonly summary: {
        readonly state: components['schemas']['State'];
        readonly words: string;
      };
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence?: string;
        readonly action?: {
          readonly verb: string;
          readonly to: string;
        };
      };
    };
    readonly EventsStanding: {
      readonly days: number;
      /** @description How many there were in these days, as far as they are counted. */
      readonly events: number;
      /** @description False: there are more. */
      readonly isAll: boolean;
      /** @description What the newest were of. */
      readonly topics: readonly string[];
      readonly types: readonly string[];
    };
    readonly EventDetail: {
      readonly id: string;
      /** @description Later ones have larger ones. */
      readonly number: number;
      /** @description By the payload, where that has a title; else its type. */
      readonly title: string;
      readonly type: string;
      readonly topic: string;
      readonly dedupeKey: string | null;
      readonly traceId: string | null;
      readonly template: {
        readonly id: string;
        readonly version: string | null;
      };
      /**
       * Format: date-time
       * @description When it happened.
       */
      readonly eventAt: string;
      /** @description Nobody is told at or after this. */
      readonly expiresAt: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description A key, a person, or a program; null: a version that did not note it. */
      readonly publishedBy: string | null;
      readonly repeatedAt: string | null;
      readonly cancelledAt: string | null;
      readonly cancelledBy: string | null;
      /** @description Active subscriptions of its topic when it was published. */
      readonly matched: number;
      readonly progress: {
        /** @description How many of them were passed. */
        readonly seen: number;
        readonly total: number;
        readonly done: boolean;
      };
      /** @description Messages by state, and who was left out among `skipped`; all that wait are `scheduled`. */
      readonly counts: {
        readonly scheduled: number;
        readonly retry_scheduled: number;
        readonly queued: number;
        readonly sending: number;
        readonly sent: number;
        readonly held: number;
        readonly dead: number;
        readonly skipped: number;
        readonly expired: number;
        readonly cancelled: number;
      };
      /** @description Why, of what was not simply told; of one event also why what waits has not left. */
      readonly reasons: readonly {
        readonly state: components['schemas']['State'];
        readonly reason: string;
        readonly count: number;
        readonly sentence: string;
      }[];
      /** @description In a few words. */
      readonly summary: {
        readonly state: components['schemas']['State'];
        readonly words: string;
      };
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence?: string;
        readonly action?: {
          readonly verb: string;
          readonly to: string;
        };
      };
      readonly payload: {
        readonly [key: string]: unknown;
      };
    };
    /** @enum {string} */
    readonly SubscriptionStatus: 'pending' | 'active' | 'paused' | 'suppressed' | 'unsubscribed';
    /**
     * @description Its status, unless it is snoozed, or its address is one that nobody writes to.
     * @enum {string}
     */
    readonly SubscriptionState: 'pending' | 'active' | 'paused' | 'suppressed' | 'unsubscribed' | 'snoozed';
    readonly Subscription: {
      readonly id: string;
      /** @description Later ones have larger ones. */
      readonly number: number;
      readonly topic: string;
      readonly contactType: string;
      /** @description As it was given; compared in its canonical form. */
      readonly contactValue: string;
      readonly name: string | null;
      /** @description Null: the default of the workspace. */
      readonly locale: string | null;
      /** @description Null: UTC. */
      readonly timezone: string | null;
      readonly status: components['schemas']['SubscriptionStatus'];
      readonly preferences: {
        /** @description Values of `payload.statusAfter`; null: any. */
        readonly notifyOn: readonly string[] | null;
        /** @description Null: as often as it happens. */
        readonly maxNotifications: number | null;
        /** @description Minutes of the local day; a start behind the end spans midnight. */
        readonly deliveryWindow: {
          readonly startMinutes: number;
          readonly endMinutes: number;
        } | null;
        readonly snoozeUntil: string | null;
      };
      readonly state: components['schemas']['SubscriptionState'];
      /** @description How often of `maxNotifications`; without a limit nobody counts. */
      readonly notified: number;
      /** @description How often, as far as its history goes back; counted to a thousand. */
      readonly told: number;
      readonly lastToldAt: string | null;
      /** @description When its confirmation was asked for last. */
      readonly askedAt: string | null;
      /** @description When its status changed last. */
      readonly changedAt: string | null;
      /** @description Of its newest 200 mails. */
      readonly dead: number;
      /** @description Of its newest 200 mails. */
      readonly waiting: number;
      /** @description When the first of those that wait is due. */
      readonly nextAt: string | null;
      /** @description Other topics of the same contact; counted to a hundred. */
      readonly others: number;
      /** @description What stands in the way of its mails. */
      readonly suppression: {
        /** @enum {string} */
        readonly reason: 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual';
        /** Format: date-time */
        readonly since: string;
      } | null;
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence?: string;
      };
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly StatusReport: {
      /** @description Those that have it now. */
      readonly done: number;
      /** @description Those that are not there, or come back by a confirmation of the person only. */
      readonly conflicts: number;
      /** @description The first of the conflicts. */
      readonly refused: readonly string[];
    };
    readonly SubscriptionImport: {
      readonly imported: number;
      readonly updated: number;
      /** @description The first thousand lines that were left out. */
      readonly rejected: readonly {
        readonly line: number;
        readonly reason: string;
      }[];
      readonly rejectedTotal: number;
    };
    readonly SubscriptionsStanding: {
      /** @description How many are told, as far as they are counted. */
      readonly active: number;
      /** @description False: there are more. */
      readonly isAll: boolean;
      /** @description The first 200. */
      readonly topics: readonly string[];
      readonly topicsAreAll: boolean;
    };
    readonly SubscriptionHappening: {
      readonly id: string;
      /** Format: date-time */
      readonly at: string;
      /** @description `created`, `updated`, `status_changed`, `confirmation_sent`, `notify_sent` or `not_told`. */
      readonly kind: string;
      /** @description Who did it; null: the engine. */
      readonly actor: string | null;
      readonly eventId: string | null;
      readonly messageId: string | null;
      /** @description What changed, before and after; of `notify_sent` the state as it was told, of `not_told` state and reason. */
      readonly details: {
        readonly [key: string]: unknown;
      } | null;
      /** @description How often in a row: who is left out again for the same reason gets no new line. */
      readonly times: number;
      /**
       * Format: date-time
       * @description Of several the first; `at` is the last.
       */
      readonly since: string;
      readonly headline: string;
      /** @description Who, or how; may be empty. */
      readonly sentence: string;
      /** @description The same as `details` of a change, in words. */
      readonly changes: readonly {
        readonly what: string;
        readonly before: string;
        readonly after: string;
      }[];
      /** @description The state as it was told. */
      readonly snapshot: string | null;
      /** @description What the event is called that it tells of, while that is kept. */
      readonly about: string | null;
    };
    readonly RecipientPages: {
      readonly pages: readonly {
        /** @enum {string} */
        readonly name:
          'confirm' | 'confirmed' | 'manage' | 'unsubscribe' | 'stopped' | 'campaign' | 'gone' | 'ask';
        readonly title: string;
        readonly when: string;
      }[];
      readonly locales: readonly {
        readonly locale: string;
        readonly language: string;
        /** @enum {string} */
        readonly direction: 'ltr' | 'rtl';
      }[];
    };
    readonly InboundEffect: {
      /** @enum {string} */
      readonly kind: 'reply' | 'bounce' | 'complaint' | 'accepted' | 'auto_reply';
      /** @description It was known, and did nothing more. */
      readonly duplicate: boolean;
      /** @description The message that it belongs to. */
      readonly messageId: string | null;
      /** @description The contact that it is from. */
      readonly contactId: string | null;
      /** @description The address is not written to any more. */
      readonly suppressed: boolean;
      /** @description In how many campaigns the sequence of this person has ended. */
      readonly ended: number;
      /** @description In how many campaigns it is paused. */
      readonly held: number;
      readonly heldUntil: string | null;
      /** @description Messages that waited, and never leave. */
      readonly cancelled: number;
      /** @description Messages that awaited the acceptance. */
      readonly released: number;
      /** @description The message was in doubt, and is now known to have left. */
      readonly resolved: boolean;
    };
    readonly ListedSuppression: {
      readonly email: string;
      /** @enum {string} */
      readonly reason: 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual';
      /** @description In which lanes; null: in all. */
      readonly lanes: readonly components['schemas']['Lane'][] | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The message that taught us. */
      readonly messageId: string | null;
      /** @description What was said when it was added. */
      readonly note: string | null;
      /** @description Who added it; null: it came of a mail. */
      readonly actor: string | null;
      /** @description What was said, by whoever said it; for people. */
      readonly said: string;
      /** @description What does not leave because of it; for people. */
      readonly notSent: string;
      /** @description What could go wrong then. */
      readonly ifRemoved: string;
      /** @description The mail that it came of, while that is kept. */
      readonly from: {
        readonly messageId: string;
        readonly label: string;
      } | null;
    };
    readonly SuppressionStanding: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
      readonly counts: readonly {
        /** @enum {string} */
        readonly reason: 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual';
        readonly count: number;
      }[];
      /** @description Added in the last 7 days. */
      readonly lastWeek: number;
      readonly weekBefore: number;
    };
    readonly Willingness: {
      readonly email: string;
      readonly sentence: string;
      readonly lanes: readonly {
        readonly lane: components['schemas']['Lane'];
        /** @description Whether we would write. */
        readonly writes: boolean;
        /** @description Whether transactional mail would leave all the same. */
        readonly writesTransactional: boolean;
        /** @description Why not; null: we would. */
        readonly reason: ('hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual') | null;
        /** @description Null also for somebody who was erased. */
        readonly since: string | null;
        /** @description For people. */
        readonly because: string;
      }[];
    };
    readonly Suppression: {
      readonly email: string;
      /** @enum {string} */
      readonly reason: 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual';
      /** @description In which lanes; null: in all. */
      readonly lanes: readonly components['schemas']['Lane'][] | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The message that taught us. */
      readonly messageId: string | null;
      /** @description What was said when it was added. */
      readonly note: string | null;
      /** @description Who added it; null: it came of a mail. */
      readonly actor: string | null;
    };
    readonly AddedSuppression: {
      readonly email: string;
      /** @enum {string} */
      readonly reason: 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual';
      /** @description In which lanes; null: in all. */
      readonly lanes: readonly components['schemas']['Lane'][] | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** @description The message that taught us. */
      readonly messageId: string | null;
      /** @description What was said when it was added. */
      readonly note: string | null;
      /** @description Who added it; null: it came of a mail. */
      readonly actor: string | null;
      /** @description Mails that waited for it, and leave no more. */
      readonly cancelled: number;
    };
    readonly AddedSuppressions: {
      /** @description For people. */
      readonly sentence: string;
      readonly added: number;
      /** @description Of those: they were on the list before. */
      readonly known: number;
      /** @description Mails that waited for them, and leave no more. */
      readonly cancelled: number;
      /** @description What is no address; nothing came of these. */
      readonly refused: readonly {
        /** @description From 0. */
        readonly index: number;
        readonly why: string;
      }[];
    };
    readonly ContactData: {
      readonly id: string;
      /** @description As it was given; compared in its canonical form. */
      readonly email: string | null;
      readonly name: string | null;
      readonly linkedinId: string | null;
      readonly timezone: string | null;
      readonly attributes: {
        readonly [key: string]: string | number | boolean;
      };
      /** @description Why the address is not written to; null: it is. */
      readonly suppression: {
        /** @enum {string} */
        readonly reason: 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribed' | 'manual';
        /** @description In which lanes; null: in all. */
        readonly lanes: readonly components['schemas']['Lane'][] | null;
        /** Format: date-time */
        readonly createdAt: string;
      } | null;
      /** @description The last import that named this contact. */
      readonly importId: string | null;
      /** @description In which line of its file. */
      readonly importLine: number | null;
      /** @description What that line did: new, unchanged, or what it updated. */
      readonly importDid: string | null;
      /** Format: date-time */
      readonly createdAt: string;
      /** Format: date-time */
      readonly updatedAt: string;
    };
    readonly AuditEntry: {
      readonly id: string;
      /** Format: date-time */
      readonly at: string;
      /** @description A person, or a key by its name. */
      readonly actor: string;
      readonly action: string;
      readonly target: string | null;
      /** @description What was said and what changed, without secrets; null: nothing of it is kept. */
      readonly details: unknown;
    };
    readonly PersonData: {
      readonly email: string;
      readonly suppressions: readonly {
        readonly address: string;
        readonly reason: string;
        /** Format: date-time */
        readonly createdAt: string;
      }[];
      readonly softBounces: readonly {
        readonly messageId: string;
        /** Format: date-time */
        readonly bouncedAt: string;
      }[];
      /** @description As which the address is known. */
      readonly contacts: readonly components['schemas']['ContactData'][];
      /** @description Lines of imported files that were left out and name the address. */
      readonly importLines: readonly {
        readonly importId: string;
        readonly line: number;
      }[];
      /** @description What the person wants to be told of, with what happened to it. */
      readonly subscriptions: readonly {
        readonly id: string;
        readonly topic: string;
        readonly status: string;
        /** Format: date-time */
        readonly createdAt: string;
        readonly history: readonly {
          /** Format: date-time */
          readonly at: string;
          readonly kind: string;
        }[];
      }[];
      /** @description Events that name the address: in payload, topic, key or trace. */
      readonly events: readonly string[];
      /** @description What the development inbox has to or from the address. */
      readonly caught: readonly string[];
      readonly deadCauses: readonly {
        readonly fingerprint: string;
        readonly sample: string;
      }[];
      readonly messages: {
        readonly items: readonly {
          readonly id: string;
          /** @description Later ones have larger ones. */
          readonly number: number;
          readonly workspaceId: string;
          readonly lane: components['schemas']['Lane'];
          readonly action: components['schemas']['Action'];
          readonly accountId: string;
          readonly to: {
            readonly email: string;
            readonly name: string | null;
          };
          readonly subject: string | null;
          readonly state: components['schemas']['State'];
          readonly idempotencyKey: string | null;
          readonly dedupeKey: string;
          /** @description As in the header of the mail; the same on every try. */
          readonly messageId: string;
          /** Format: date-time */
          readonly scheduledFor: string;
          /** @description Since when it is with the broker, for the try to come. */
          readonly queuedAt: string | null;
          readonly nextAttemptAt: string | null;
          readonly attempts: number;
          readonly maxAttempts: number;
          /** @description So often a worker died, or was too slow, while it had this message. */
          readonly leaseLosses: number;
          readonly lastError: {
            /** @description Short and searchable. */
            readonly code: string;
            /** @description In the words of the server. */
            readonly message: string;
            readonly class: components['schemas']['ErrorClass'];
          } | null;
          readonly deadReason: ('permanent_error' | 'max_attempts' | 'poison') | null;
          /** @description Why it was skipped, held or cancelled, as a searchable word. */
          readonly reason: string | null;
          /** @description Why what waits will not leave at its time. */
          readonly rescheduleReason:
            | (
                | 'account_paused'
                | 'account_cooling'
                | 'outside_window'
                | 'holiday'
                | 'hourly_limit'
                | 'daily_limit'
                | 'weekly_limit'
                | 'monthly_limit'
                | 'ramp_up'
                | 'workspace_quota'
                | 'spacing'
              )
            | null;
          readonly expiresAt: string | null;
          readonly traceId: string | null;
          /** @description The name that the provider has for the conversation. */
          readonly threadId: string | null;
          readonly campaignId: string | null;
          readonly contactId: string | null;
          readonly sequenceId: string | null;
          readonly stepNumber: number | null;
          readonly eventId: string | null;
          readonly subscriptionId: string | null;
          /** @description The worker that has it now. */
          readonly lockedBy: string | null;
          readonly lockedUntil: string | null;
          readonly sentAt: string | null;
          /** Format: date-time */
          readonly createdAt: string;
          /** Format: date-time */
          readonly updatedAt: string;
          /** @enum {string} */
          readonly role: 'recipient' | 'copy';
          readonly attemptLog: readonly components['schemas']['Attempt'][];
        }[];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly audit: readonly components['schemas']['AuditEntry'][];
    };
    readonly ErasureReport: {
      /** @description Messages to the address, or with a copy to it. */
      readonly messages: number;
      /** @description Of those: had not left, and never will. */
      readonly cancelled: number;
      /** @description Of those: are leaving at this moment. They are erased when they have ended. */
      readonly inFlight: number;
      /** @description Is not written to any more: that is still known, by a keyed hash. */
      readonly suppressed: boolean;
      /** @description Events that name the address. They stay as they are, because others were told of them too. */
      readonly events: readonly string[];
      /** @description SQLite: false if traces are left in unused bytes of the file. */
      readonly scrubbed: boolean;
    };
    readonly WorkspaceProfile: {
      readonly name: string;
      /** @description Stands in the footer of campaign mails. */
      readonly postalAddress: string | null;
      readonly defaultLocale: string;
    };
    /** @enum {string} */
    readonly RetryPolicyName: 'campaign' | 'outbox' | 'dispatcher' | 'notification';
    readonly RetryWaits: {
      readonly maxAttempts: number;
      readonly delaysSeconds: readonly number[];
    };
    /** @enum {string} */
    readonly OnDoubt: 'hold' | 'resend' | 'assume_sent';
    readonly LaneDelivery: {
      readonly retryPolicy: components['schemas']['RetryPolicyName'] | components['schemas']['RetryWaits'];
      readonly onDoubt: components['schemas']['OnDoubt'];
      /** @description Too late to be useful after so long; null: never. */
      readonly expirySeconds: number | null;
      /** @description Obeys window, quota and spacing of its account. */
      readonly guarded: boolean;
    };
    readonly DeliverySettings: {
      readonly lanes: {
        readonly outbox: components['schemas']['LaneDelivery'];
        readonly campaign: components['schemas']['LaneDelivery'];
        readonly notification: components['schemas']['LaneDelivery'];
      };
      /** @description When an account pauses itself. */
      readonly health: {
        readonly bouncePercent: number;
        readonly complaintPercent: number;
        /** @description Fewer than this say nothing, whatever their share. */
        readonly atLeast: number;
        readonly minSends: number;
        readonly days: number;
      };
      /** @description Finished messages are forgotten after so many days. */
      readonly retentionDays: number;
      /** @description So long is kept who did what. */
      readonly auditDays: number;
    };
    readonly NamedPolicy: {
      readonly name: components['schemas']['RetryPolicyName'];
      readonly maxAttempts: number;
      readonly delaysSeconds: readonly number[];
      /** @description Between a try of the caller himself and the first of the engine. */
      readonly inlineDelaySeconds?: number;
    };
    readonly SendingSettings: {
      /** @description Monday is 1. */
      readonly sendingDays: readonly number[];
      readonly startHour: number;
      readonly endHour: number;
      readonly timezone: string;
      readonly hours?: components['schemas']['DayHours'];
      /** @description Of the whole workspace, a local day. */
      readonly dailyQuota: number;
      readonly rampUpEnabled: boolean;
      readonly rampUp: {
        readonly start: number;
        readonly step: number;
      };
      readonly spacing: {
        readonly minSeconds: number;
        readonly maxSeconds: number;
      };
      /** @description Local dates. */
      readonly holidays: readonly string[];
    };
    readonly Caught: {
      readonly id: string;
      /** @description Of the envelope; empty for a bounce. */
      readonly sender: string;
      readonly recipients: readonly string[];
      readonly subject: string;
      /** Format: date-time */
      readonly receivedAt: string;
      /** @description In bytes. */
      readonly size: number;
    };
    readonly CaughtPage: {
      readonly items: readonly components['schemas']['Caught'][];
      /** @description Ask with it for what follows; null: nothing does. */
      readonly nextCursor: string | null;
      /** @description How many are kept. */
      readonly total: number;
      /** @description Where the catcher takes mail. */
      readonly smtpUrl: string | null;
    };
    readonly CaughtMail: {
      readonly id: string;
      /** @description Of the envelope; empty for a bounce. */
      readonly sender: string;
      readonly recipients: readonly string[];
      readonly subject: string;
      /** Format: date-time */
      readonly receivedAt: string;
      /** @description In bytes. */
      readonly size: number;
      readonly headers: readonly {
        readonly name: string;
        /** @description Unfolded, and with its encoded words read. */
        readonly value: string;
        /** @description The line as it came. */
        readonly raw: string;
      }[];
      readonly text?: string;
      readonly html?: string;
      readonly calendar?: {
        readonly method?: string;
        readonly content: string;
      };
      readonly attachments: readonly {
        readonly filename: string | null;
        readonly contentType: string;
        readonly size: number;
        readonly contentId?: string;
        readonly contentBase64: string;
      }[];
      /** @description How many it would have fetched from elsewhere. */
      readonly remoteImages: number;
    };
    /** @enum {string} */
    readonly Role: 'viewer' | 'operator' | 'admin';
    readonly Session: {
      readonly user: {
        readonly id: string;
        readonly email: string;
        readonly role: components['schemas']['Role'];
      };
      readonly workspaces: readonly {
        readonly id: string;
        readonly name: string;
        readonly role: components['schemas']['Role'];
      }[];
      /** @description Goes as X-CSRF-Token with every write of this session. */
      readonly csrfToken: string;
    };
    readonly Invited: {
      readonly email: string;
      /** Format: date-time */
      readonly expiresAt: string;
    };
    /** @enum {string} */
    readonly Scope: 'send' | 'read' | 'operate' | 'admin';
    readonly Me: {
      readonly workspaceId: string;
      readonly scopes: readonly components['schemas']['Scope'][];
      readonly administersInstallation: boolean;
      /** @description Null: a key, not a person. */
      readonly user: {
        readonly id: string;
        readonly email: string;
        readonly role: components['schemas']['Role'];
      } | null;
      readonly workspaces?: readonly {
        readonly id: string;
        readonly name: string;
        readonly role: components['schemas']['Role'];
      }[];
      /** @description Goes as X-CSRF-Token with every write of this session. */
      readonly csrfToken?: string;
      /** @description Of a key: its name. */
      readonly key?: string;
      readonly installation: {
        readonly version: string;
        /** @description What is shown was made up, and nothing leaves this machine. */
        readonly demo: boolean;
        /** @description The built-in catcher runs, and this workspace may read what it took. */
        readonly inbox: boolean;
        /** @description Pages tick with this one: machines differ, and a demonstration may run faster. */
        readonly clock: {
          /** Format: date-time */
          readonly now: string;
          readonly speed: number;
        };
      };
    };
    readonly OwnSession: {
      readonly id: string;
      /** Format: date-time */
      readonly createdAt: string;
      /**
       * Format: date-time
       * @description To the minute.
       */
      readonly lastSeenAt: string;
      /** @description The one that asks. */
      readonly current: boolean;
    };
    readonly Workspace: {
      readonly id: string;
      readonly name: string;
      /** Format: date-time */
      readonly createdAt: string;
    };
    readonly AddedMember: {
      readonly id: string;
      readonly email: string;
      readonly role: components['schemas']['Role'];
      readonly workspaceId: string;
      /** Format: date-time */
      readonly createdAt: string;
      /**
       * @description `invited`: not yet in, but the invitation is good. `locked_out`: needs a new one.
       * @enum {string}
       */
      readonly status: 'active' | 'invited' | 'locked_out';
      /** @description Goes on signing in as before; a password that was given was not taken. */
      readonly knownBefore: boolean;
      /** @description Null: signs in with a password. */
      readonly invitation: {
        /** @description The way in, which is shown this once. */
        readonly url: string;
        /** Format: date-time */
        readonly expiresAt: string;
      } | null;
    };
    readonly InvitedMember: {
      readonly id: string;
      readonly email: string;
      readonly role: components['schemas']['Role'];
      readonly workspaceId: string;
      /** Format: date-time */
      readonly createdAt: string;
      /**
       * @description `invited`: not yet in, but the invitation is good. `locked_out`: needs a new one.
       * @enum {string}
       */
      readonly status: 'active' | 'invited' | 'locked_out';
      readonly invitation: {
        /** @description The way in, which is shown this once. */
        readonly url: string;
        /** Format: date-time */
        readonly expiresAt: string;
      };
    };
    readonly Member: {
      readonly id: string;
      readonly email: string;
      readonly role: components['schemas']['Role'];
      readonly workspaceId: string;
      /** Format: date-time */
      readonly createdAt: string;
      /**
       * @description `invited`: not yet in, but the invitation is good. `locked_out`: needs a new one.
       * @enum {string}
       */
      readonly status: 'active' | 'invited' | 'locked_out';
      /** @description Null: there is none, or it is over. */
      readonly invitation: {
        /** Format: date-time */
        readonly expiresAt: string;
      } | null;
    };
    readonly NewApiKey: {
      readonly id: string;
      readonly workspaceId: string;
      readonly name: string;
      readonly scopes: readonly components['schemas']['Scope'][];
      /** @description How it begins. */
      readonly hint: string;
      /** Format: date-time */
      readonly createdAt: string;
      readonly lastUsedAt: string | null;
      /** @description From then on it is refused. Null: never. */
      readonly expiresAt: string | null;
      /** @description The key itself, which is shown this once. */
      readonly key: string;
    };
    readonly ApiKey: {
      readonly id: string;
      readonly workspaceId: string;
      readonly name: string;
      readonly scopes: readonly components['schemas']['Scope'][];
      /** @description How it begins. */
      readonly hint: string;
      /** Format: date-time */
      readonly createdAt: string;
      readonly lastUsedAt: string | null;
      /** @description From then on it is refused. Null: never. */
      readonly expiresAt: string | null;
    };
    readonly Worker: {
      /** @description Host, process, and a part that no other has. */
      readonly name: string;
      /** @enum {string} */
      readonly kind: 'worker' | 'relay';
      readonly host: string;
      readonly version: string;
      /** @description False: it has not been heard for a minute. */
      readonly alive: boolean;
      /** @description So many messages it has in hand. */
      readonly busy: number;
      /** @description Sends at once; null: it does not send. */
      readonly places: number | null;
      /** @description Sent, or passed on, in its last minute. */
      readonly lastMinute: number | null;
      /** @description Results that came after their lease was lost. */
      readonly leasesLost: number | null;
      /** @description Of a relay: how long the broker takes to confirm. */
      readonly confirmMs: number | null;
      /** Format: date-time */
      readonly seenAt: string;
      /** @description Since then. */
      readonly silentMs: number;
      /** Format: date-time */
      readonly startedAt: string;
    };
    /** @description As the process sees it that answers this. */
    readonly Broker: {
      /**
       * @description `blocked`: short of memory or disk.
       * @enum {string}
       */
      readonly standing: 'up' | 'blocked' | 'down';
      readonly product: string | null;
      readonly host: string;
      readonly upSince: string | null;
      readonly downSince: string | null;
      /** @description Why it cannot be used, and how often that was tried. */
      readonly trouble: {
        readonly why: string;
        readonly tries: number;
      } | null;
      /** @description So much each sender may have in hand. */
      readonly prefetch: number;
      /** @description What is so late is claimed past the broker; 0: never. */
      readonly directAfterSeconds: number;
      readonly queuesAt: string | null;
      readonly queues: readonly {
        readonly name: string;
        readonly messages: number;
        readonly consumers: number;
      }[];
    };
    readonly WorkForce: {
      readonly plate: {
        readonly level: components['schemas']['Level'];
        readonly sentence: string;
        readonly evidence: string;
      };
      /** @description Those that are gone are shown for an hour. */
      readonly workers: readonly components['schemas']['Worker'][];
      /** @description Null: AMQP_URL is not set. */
      readonly broker: components['schemas']['Broker'] | null;
      /** @description What waits, in all workspaces; counted up to 100,000. */
      readonly waiting: number;
      /** @description Of that, what could leave now and nobody has taken or passed on. */
      readonly due: number;
      readonly oldestDueAt: string | null;
      /** @description And what is with the broker. */
      readonly queued: number;
      readonly oldestQueuedAt: string | null;
      readonly lastMinute: {
        readonly sent: number;
        readonly published: number;
      };
      /** @description Through the broker. */
      readonly lastDay: {
        /** @description Passed on again because nobody took it. */
        readonly again: number;
        /** @description Deliveries that were stale, or known already. */
        readonly dropped: number;
        /** @description Not confirmed by the broker, and put back. */
        readonly returned: number;
      };
      /** @description The most that was with the broker at once: 60 minutes, or a day in steps of 5. */
      readonly series: readonly {
        /** Format: date-time */
        readonly at: string;
        readonly queued: number;
        /** @description It could not be reached. */
        readonly away: boolean;
      }[];
      readonly announcements: {
        /** @description Dead letters that the broker has not been told of. */
        readonly waiting: number;
        readonly oldestAt: string | null;
        /** @description Those that it was told of last, the latest first. */
        readonly last: readonly {
          readonly id: string;
          readonly workspaceId: string;
          /** Format: date-time */
          readonly at: string;
          readonly deadReason: string | null;
          readonly error: string | null;
        }[];
      };
    };
    readonly PassReport: {
      readonly claimed: number;
      readonly sent: number;
      readonly retried: number;
      readonly rescheduled: number;
      readonly dead: number;
      readonly held: number;
    };
    readonly Answers: {
      readonly sendMail: components['schemas']['Delivered'] | components['schemas']['Duplicate'];
      readonly queueMails: components['schemas']['QueuedReport'];
      readonly listMessages: {
        readonly items: readonly components['schemas']['Message'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly listDeadGroups: components['schemas']['DeadLetters'];
      readonly decideMessages: components['schemas']['BulkReport'];
      readonly retryDeadGroup: components['schemas']['GroupReport'];
      readonly dismissDeadGroup: components['schemas']['GroupReport'];
      readonly getMessage: components['schemas']['MessageDetail'];
      readonly explainMessage: components['schemas']['Explanation'];
      readonly getContent: components['schemas']['Content'];
      readonly retryMessage: components['schemas']['Message'];
      readonly dismissMessage: components['schemas']['Message'];
      readonly cancelMessage: components['schemas']['Message'];
      readonly resolveMessage: components['schemas']['Message'];
      readonly listOutbox: {
        readonly items: readonly components['schemas']['OutboxRow'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly retryOutboxMail: components['schemas']['OutboxRow'];
      readonly removeOutboxMail: {
        readonly id: string;
        readonly state: components['schemas']['State'];
      };
      readonly getDashboard: components['schemas']['Dashboard'];
      readonly loadDemo: components['schemas']['DemoReport'];
      readonly createAccount: components['schemas']['Account'];
      readonly listAccounts: {
        readonly items: readonly components['schemas']['Account'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getAccountsStanding: components['schemas']['AccountsStanding'];
      readonly getAccount: components['schemas']['Account'];
      readonly updateAccount: components['schemas']['Account'];
      readonly deleteAccount: {
        readonly id: string;
      };
      readonly verifyAccount: components['schemas']['Verification'];
      readonly listActivity: {
        readonly items: readonly components['schemas']['Activity'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getQuota: components['schemas']['Quota'];
      readonly getCapacity: components['schemas']['Capacity'];
      readonly getPace: components['schemas']['AccountPace'];
      readonly getNearness: components['schemas']['Nearness'];
      readonly checkLimits: components['schemas']['LimitsCheck'];
      readonly fixLimits: components['schemas']['FixedLimits'];
      readonly previewSending: components['schemas']['SendingPreview'];
      readonly createCampaign: components['schemas']['CampaignDetail'];
      readonly listCampaigns: components['schemas']['CampaignList'];
      readonly getCampaignRoom: components['schemas']['CampaignRoom'];
      readonly getCampaign: components['schemas']['CampaignDetail'];
      readonly changeCampaign: components['schemas']['CampaignDetail'];
      readonly planCampaign: components['schemas']['DryRun'];
      readonly simulateCampaign: components['schemas']['Simulation'];
      readonly launchCampaign: components['schemas']['SchedulingResult'];
      readonly scheduleCampaign: components['schemas']['SchedulingResult'];
      readonly getCampaignSchedule: components['schemas']['ScheduleStatus'];
      readonly listScheduledEmails: {
        readonly items: readonly components['schemas']['Message'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getCampaignCalendar: components['schemas']['CampaignCalendar'];
      readonly getCampaignResumption: components['schemas']['CampaignResumption'];
      readonly listRecent: components['schemas']['Happenings'];
      readonly addReadyMessages: components['schemas']['SchedulingResult'];
      readonly pauseCampaign: components['schemas']['Campaign'];
      readonly resumeCampaign: components['schemas']['Campaign'];
      readonly stopCampaign: components['schemas']['Campaign'];
      readonly enrolProspects: {
        readonly enrolled: number;
        readonly skipped: number;
      };
      readonly removeProspects: {
        readonly removed: number;
      };
      readonly changeProspect: {
        /** @enum {unknown} */
        readonly status: 'active' | 'paused';
      };
      readonly listCampaignPeople: {
        readonly items: readonly components['schemas']['PersonInCampaign'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly leaveProspectsOut: components['schemas']['LeftOut'];
      readonly createSequence: components['schemas']['Sequence'];
      readonly listSequences: components['schemas']['SequenceList'];
      readonly checkSequence: components['schemas']['SequenceCheck'];
      readonly walkPeople: components['schemas']['PeopleWalk'];
      readonly listAttributesInUse: components['schemas']['AttributesInUse'];
      readonly getSequence: components['schemas']['Sequence'];
      readonly saveSequence: components['schemas']['Sequence'];
      readonly deleteSequence: components['schemas']['Sequence'];
      readonly previewStep: components['schemas']['SequencePreview'];
      readonly listStepResults: components['schemas']['StepResults'];
      readonly listVersions: {
        readonly items: readonly {
          readonly version: number;
          /** Format: date-time */
          readonly createdAt: string;
        }[];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getVersion: components['schemas']['Sequence'];
      readonly testStep: {
        /** @description The mail that was stored; a worker sends it at once. */
        readonly id: string;
      };
      readonly saveTemplate: components['schemas']['Template'];
      readonly listTemplates: {
        readonly items: readonly components['schemas']['Template'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly previewTemplate: components['schemas']['TemplatePreview'];
      readonly checkTemplate: components['schemas']['TemplateCheck'];
      readonly testTemplate: {
        /** @description Of the mail that is on its way. */
        readonly id: string;
      };
      readonly listTemplateHeads: components['schemas']['TemplateHeads'];
      readonly getTemplateStanding: components['schemas']['TemplateStanding'];
      readonly saveTemplateVersion: components['schemas']['TemplateDetail'];
      readonly getTemplate: components['schemas']['TemplateDetail'];
      readonly addContacts:
        | {
            readonly id: string;
          }
        | {
            /** @description In the order given. */
            readonly ids: readonly string[];
          };
      readonly listContacts: {
        readonly items: readonly components['schemas']['Contact'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getContactsStanding: components['schemas']['ContactsStanding'];
      readonly listCampaignsOfContact: {
        readonly items: readonly components['schemas']['Enrolment'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getContact: components['schemas']['Contact'];
      readonly updateContact: components['schemas']['Contact'];
      readonly deleteContact: {
        readonly id: string;
      };
      readonly importContacts: components['schemas']['ImportedFile'];
      readonly uploadImport: components['schemas']['Import'];
      readonly listImports: {
        readonly items: readonly components['schemas']['Import'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getImport: components['schemas']['Import'];
      readonly startImport: components['schemas']['Import'];
      readonly lookAtImport: components['schemas']['ImportLook'];
      readonly stopImport: components['schemas']['Import'];
      readonly listRejectedLines: {
        readonly items: readonly components['schemas']['RejectedLine'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly publishEvent: {
        readonly id: string;
        /** @description The same. */
        readonly eventId: string;
        /** @constant */
        readonly duplicate: true;
      };
      readonly listEvents: {
        readonly items: readonly components['schemas']['Event'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getEventsStanding: components['schemas']['EventsStanding'];
      readonly getEvent: components['schemas']['EventDetail'];
      readonly cancelEvent: components['schemas']['EventDetail'];
      readonly subscribe: components['schemas']['Subscription'];
      readonly listSubscriptions: {
        readonly items: readonly components['schemas']['Subscription'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly changeSubscriptions: components['schemas']['StatusReport'];
      readonly importSubscriptions: components['schemas']['SubscriptionImport'];
      readonly getSubscriptionsStanding: components['schemas']['SubscriptionsStanding'];
      readonly takeManageLink: {
        readonly manageUrl: string;
      };
      readonly getSubscription: components['schemas']['Subscription'];
      readonly updateSubscription: components['schemas']['Subscription'];
      readonly getSubscriptionHistory: {
        readonly items: readonly components['schemas']['SubscriptionHappening'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly handInMailJob: {
        readonly id: string;
        /** @constant */
        readonly duplicate: true;
      };
      readonly listRecipientPages: components['schemas']['RecipientPages'];
      readonly receiveInbound: components['schemas']['InboundEffect'];
      readonly listSuppressions: {
        readonly items: readonly components['schemas']['ListedSuppression'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly suppress: components['schemas']['AddedSuppression'];
      readonly getSuppressionStanding: components['schemas']['SuppressionStanding'];
      readonly askAboutAddress: components['schemas']['Willingness'];
      readonly getSuppression: components['schemas']['Suppression'];
      readonly unsuppress: components['schemas']['Suppression'];
      readonly suppressSeveral: components['schemas']['AddedSuppressions'];
      readonly exportPerson: components['schemas']['PersonData'];
      readonly erasePerson: components['schemas']['ErasureReport'];
      readonly getProfile: components['schemas']['WorkspaceProfile'];
      readonly updateProfile: components['schemas']['WorkspaceProfile'];
      readonly getDelivery: components['schemas']['DeliverySettings'];
      readonly updateDelivery: components['schemas']['DeliverySettings'];
      readonly listRetryPolicies: {
        readonly items: readonly components['schemas']['NamedPolicy'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getSending: components['schemas']['SendingSettings'];
      readonly updateSending: components['schemas']['SendingSettings'];
      readonly listCaught: components['schemas']['CaughtPage'];
      readonly clearInbox: {
        readonly done: number;
      };
      readonly getCaught: components['schemas']['CaughtMail'];
      readonly logIn: components['schemas']['Session'];
      readonly getInvitation: components['schemas']['Invited'];
      readonly acceptInvitation: components['schemas']['Session'];
      readonly logOut: Record<string, never>;
      readonly getMe: components['schemas']['Me'];
      readonly changeOwnPassword: Record<string, never>;
      readonly listOwnSessions: {
        readonly items: readonly components['schemas']['OwnSession'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly endOwnSession: {
        readonly id: string;
      };
      readonly createWorkspace: components['schemas']['Workspace'];
      readonly listWorkspaces: {
        readonly items: readonly components['schemas']['Workspace'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly addPerson: components['schemas']['AddedMember'];
      readonly listPeople: {
        readonly items: readonly components['schemas']['Member'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly invitePerson: components['schemas']['InvitedMember'];
      readonly getPerson: components['schemas']['Member'];
      readonly updatePerson: components['schemas']['Member'];
      readonly removePerson: components['schemas']['Member'];
      readonly createKey: components['schemas']['NewApiKey'];
      readonly listKeys: {
        readonly items: readonly components['schemas']['ApiKey'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly getKey: components['schemas']['ApiKey'];
      readonly revokeKey: components['schemas']['ApiKey'];
      readonly listAudit: {
        readonly items: readonly components['schemas']['AuditEntry'][];
        /** @description Ask with it for what follows; null: nothing does. */
        readonly nextCursor: string | null;
      };
      readonly listWorkers: components['schemas']['WorkForce'];
      readonly sendDue: components['schemas']['PassReport'];
      readonly postSendDue: components['schemas']['PassReport'];
      readonly checkAlive: {
        /** @constant */
        readonly status: 'up';
      };
      readonly checkReady: {
        /** @constant */
        readonly database: 'up';
        /** @constant */
        readonly renewal?: 'up';
        /** @description Mails that left and whose result the database has not taken yet. */
        readonly unstoredResults?: number;
        /**
         * @description `blocked`: it is short of memory or disk.
         * @enum {string}
         */
        readonly broker?: 'up' | 'blocked';
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Delivered = components['schemas']['Delivered'];
export type State = components['schemas']['State'];
export type Duplicate = components['schemas']['Duplicate'];
export type Kept = components['schemas']['Kept'];
export type QueuedReport = components['schemas']['QueuedReport'];
export type Lane = components['schemas']['Lane'];
export type Action = components['schemas']['Action'];
export type ErrorClass = components['schemas']['ErrorClass'];
export type Message = components['schemas']['Message'];
export type DeadGroup = components['schemas']['DeadGroup'];
export type Level = components['schemas']['Level'];
export type DeadLetters = components['schemas']['DeadLetters'];
export type BulkReport = components['schemas']['BulkReport'];
export type GroupReport = components['schemas']['GroupReport'];
export type AttemptOutcome = components['schemas']['AttemptOutcome'];
export type Attempt = components['schemas']['Attempt'];
export type MessageDetail = components['schemas']['MessageDetail'];
export type Explanation = components['schemas']['Explanation'];
export type Content = components['schemas']['Content'];
export type OutboxRow = components['schemas']['OutboxRow'];
export type Counts = components['schemas']['Counts'];
export type Need = components['schemas']['Need'];
export type AccountToday = components['schemas']['AccountToday'];
export type Series = components['schemas']['Series'];
export type Dashboard = components['schemas']['Dashboard'];
export type DemoReport = components['schemas']['DemoReport'];
export type Dkim = components['schemas']['Dkim'];
export type PeriodLimit = components['schemas']['PeriodLimit'];
export type DayHours = components['schemas']['DayHours'];
export type SendingWindow = components['schemas']['SendingWindow'];
export type Account = components['schemas']['Account'];
export type AccountDay = components['schemas']['AccountDay'];
export type AccountWindow = components['schemas']['AccountWindow'];
export type Bounced = components['schemas']['Bounced'];
export type AccountStanding = components['schemas']['AccountStanding'];
export type AccountsStanding = components['schemas']['AccountsStanding'];
export type Verification = components['schemas']['Verification'];
export type Activity = components['schemas']['Activity'];
export type AccountAction = components['schemas']['AccountAction'];
export type Quota = components['schemas']['Quota'];
export type Limit = components['schemas']['Limit'];
export type Capacity = components['schemas']['Capacity'];
export type PaceDay = components['schemas']['PaceDay'];
export type AccountPace = components['schemas']['AccountPace'];
export type PeriodUse = components['schemas']['PeriodUse'];
export type NearAccount = components['schemas']['NearAccount'];
export type Nearness = components['schemas']['Nearness'];
export type Violation = components['schemas']['Violation'];
export type LimitBreach = components['schemas']['LimitBreach'];
export type LimitsCheck = components['schemas']['LimitsCheck'];
export type FixedLimits = components['schemas']['FixedLimits'];
export type OpenWindow = components['schemas']['OpenWindow'];
export type SendingPreview = components['schemas']['SendingPreview'];
export type CampaignState = components['schemas']['CampaignState'];
export type CampaignDetail = components['schemas']['CampaignDetail'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignList = components['schemas']['CampaignList'];
export type CampaignRoom = components['schemas']['CampaignRoom'];
export type DryRun = components['schemas']['DryRun'];
export type Simulation = components['schemas']['Simulation'];
export type SchedulingResult = components['schemas']['SchedulingResult'];
export type SchedulingUnderWay = components['schemas']['SchedulingUnderWay'];
export type ScheduleStatus = components['schemas']['ScheduleStatus'];
export type CampaignCalendar = components['schemas']['CampaignCalendar'];
export type CampaignResumption = components['schemas']['CampaignResumption'];
export type Happenings = components['schemas']['Happenings'];
export type PersonInCampaign = components['schemas']['PersonInCampaign'];
export type LeftOut = components['schemas']['LeftOut'];
export type SequenceStep = components['schemas']['SequenceStep'];
export type Sequence = components['schemas']['Sequence'];
export type SequenceHead = components['schemas']['SequenceHead'];
export type SequenceList = components['schemas']['SequenceList'];
export type SequenceCheck = components['schemas']['SequenceCheck'];
export type PeopleWalk = components['schemas']['PeopleWalk'];
export type AttributesInUse = components['schemas']['AttributesInUse'];
export type SequencePreview = components['schemas']['SequencePreview'];
export type StepResults = components['schemas']['StepResults'];
export type Template = components['schemas']['Template'];
export type TemplatePreview = components['schemas']['TemplatePreview'];
export type TemplateCheck = components['schemas']['TemplateCheck'];
export type TemplateHead = components['schemas']['TemplateHead'];
export type TemplateHeads = components['schemas']['TemplateHeads'];
export type TemplateStanding = components['schemas']['TemplateStanding'];
export type TemplateDetail = components['schemas']['TemplateDetail'];
export type Contact = components['schemas']['Contact'];
export type Import = components['schemas']['Import'];
export type ContactsStanding = components['schemas']['ContactsStanding'];
export type Enrolment = components['schemas']['Enrolment'];
export type ImportedFile = components['schemas']['ImportedFile'];
export type ImportLook = components['schemas']['ImportLook'];
export type RejectedLine = components['schemas']['RejectedLine'];
export type Event = components['schemas']['Event'];
export type EventsStanding = components['schemas']['EventsStanding'];
export type EventDetail = components['schemas']['EventDetail'];
export type SubscriptionStatus = components['schemas']['SubscriptionStatus'];
export type SubscriptionState = components['schemas']['SubscriptionState'];
export type Subscription = components['schemas']['Subscription'];
export type StatusReport = components['schemas']['StatusReport'];
export type SubscriptionImport = components['schemas']['SubscriptionImport'];
export type SubscriptionsStanding = components['schemas']['SubscriptionsStanding'];
export type SubscriptionHappening = components['schemas']['SubscriptionHappening'];
export type RecipientPages = components['schemas']['RecipientPages'];
export type InboundEffect = components['schemas']['InboundEffect'];
export type ListedSuppression = components['schemas']['ListedSuppression'];
export type SuppressionStanding = components['schemas']['SuppressionStanding'];
export type Willingness = components['schemas']['Willingness'];
export type Suppression = components['schemas']['Suppression'];
export type AddedSuppression = components['schemas']['AddedSuppression'];
export type AddedSuppressions = components['schemas']['AddedSuppressions'];
export type ContactData = components['schemas']['ContactData'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type PersonData = components['schemas']['PersonData'];
export type ErasureReport = components['schemas']['ErasureReport'];
export type WorkspaceProfile = components['schemas']['WorkspaceProfile'];
export type RetryPolicyName = components['schemas']['RetryPolicyName'];
export type RetryWaits = components['schemas']['RetryWaits'];
export type OnDoubt = components['schemas']['OnDoubt'];
export type LaneDelivery = components['schemas']['LaneDelivery'];
export type DeliverySettings = components['schemas']['DeliverySettings'];
export type NamedPolicy = components['schemas']['NamedPolicy'];
export type SendingSettings = components['schemas']['SendingSettings'];
export type Caught = components['schemas']['Caught'];
export type CaughtPage = components['schemas']['CaughtPage'];
export type CaughtMail = components['schemas']['CaughtMail'];
export type Role = components['schemas']['Role'];
export type Session = components['schemas']['Session'];
export type Invited = components['schemas']['Invited'];
export type Scope = components['schemas']['Scope'];
export type Me = components['schemas']['Me'];
export type OwnSession = components['schemas']['OwnSession'];
export type Workspace = components['schemas']['Workspace'];
export type AddedMember = components['schemas']['AddedMember'];
export type InvitedMember = components['schemas']['InvitedMember'];
export type Member = components['schemas']['Member'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type ApiKey = components['schemas']['ApiKey'];
export type Worker = components['schemas']['Worker'];
export type Broker = components['schemas']['Broker'];
export type WorkForce = components['schemas']['WorkForce'];
export type PassReport = components['schemas']['PassReport'];
export type Answers = components['schemas']['Answers'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
