import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import {
  ofTemplateCheck,
  ofTemplateStanding,
  saveTemplateVersion,
  type TemplateDetail,
  type TextDraft,
} from '../../api/templates';
import { useShortcuts } from '../../keys/keys';
import { Button } from '../../parts/button';
import { Failure } from '../../parts/failure';
import { Fault as FaultText } from '../../parts/form/fault';
import { SaveBar } from '../../parts/form/save-bar';
import { useSubmit } from '../../parts/form/use-submit';
import { usePhone } from '../../parts/media';
import { counted, numberWords } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { useMayAct } from '../../shell/may-act';
import { TopBar } from '../../shell/top-bar';
import { useSettled } from '../../parts/use-settled';
import { AddLocale } from './add-locale';
import { LocaleTabs } from './locale-tabs';
import { Side } from './side';
import { focusFault, TextColumn } from './text-column';
import { changedLocales, draftsOf, mended, nextVersion, type Fault } from './text-draft';
import { ViewSwitch, type View } from './view-switch';

export const WITHIN = { label: 'Templates', to: '/templates' };

/** Faults are looked for this long after the last key. */
const CHECKED_MS = 300;
const BESIDE = 3;

interface Props {
  readonly saved: TemplateDetail;
  /** As the address says it; undefined: the newest. */
  readonly version: string | undefined;
  readonly locale: string | undefined;
  /** What feeds the previews; undefined: nobody has chosen. */
  readonly eventId: string | undefined;
  readonly onEvent: (id: string) => void;
}

export function TemplateEditor({ saved, version: asked, locale, eventId, onEvent }: Props) {
  const may = useMayAct('operate');
  const navigate = useNavigate();
  const submit = useSubmit();
  const before = draftsOf(saved);
  const [drafts, setDrafts] = useState<readonly TextDraft[]>(before);
  const [fresh, setFresh] = useState(false);
  const [adding, setAdding] = useState(false);
  const [view, setView] = useState<View>('side');
  const phone = usePhone();
  const settled = useSettled(drafts, CHECKED_MS);
  const { id, version, fallbackLocale } = saved;
  const check = useQuery(ofTemplateCheck({ id, version, fallbackLocale, texts: settled }));
  const standing = useQuery(ofTemplateStanding(saved.id, saved.version));
  // A real event before anything made up: an empty choice is the sample.
  const fed = eventId ?? standing.data?.events[0]?.id ?? '';
  const active = drafts.find((text) => text.locale === locale) ?? drafts[0];
  const shown = view === 'one' ? drafts.filter((text) => text === active) : besides(drafts, active);
  const changed = changedLocales(before, drafts);
  const isFixed = changed.some((each) => saved.locales.find((text) => text.locale === each)?.isUsed);
  const isNew = fresh || isFixed;
  const next = nextVersion(saved.version, saved.versions);
  const faults = check.data?.texts.flatMap((text) =>
    text.faults.map((fault) => ({ ...fault, locale: text.locale })),
  );
  const blocking = faults?.find(({ blocks }) => blocks);
  const slip = faults?.find(({ name, suggestion }) => name !== null && suggestion !== null);
  const show = (search: { readonly version?: string; readonly locale?: string }) => {
    const wanted = search.version ?? asked;
    void navigate({
      to: '/templates/$templateId',
      params: { templateId: saved.id },
      search: {
        // Another address of the same version would be another page, without what was written on this one.
        ...(wanted !== undefined && { version: wanted }),
        ...(search.locale && { locale: search.locale }),
      },
      replace: search.version === undefined,
      ignoreBlocker: search.version === undefined,
      resetScroll: false,
    });
  };
  const change = (text: TextDraft) =>
    setDrafts((known) => known.map((each) => (each.locale === text.locale ? text : each)));
  const save = () => {
    if (blocking) return;
    submit.run(async () => {
      const done = await saveTemplateVersion(saved.id, {
        ...(isNew
          ? { version: next, isNew: true, fallbackLocale: saved.fallbackLocale, texts: drafts }
          : { version: saved.version, texts: drafts.filter((text) => changed.includes(text.locale)) }),
      });
      showToast({
        text: isNew
          ? `Saved as ${done.version}. ${saved.version} stays as it was sent.`
          : `Corrected ${done.version}; no mail has left with it.`,
      });
      await navigate({
        to: '/templates/$templateId',
        params: { templateId: saved.id },
        search: { version: done.version, ...(active && { locale: active.locale }) },
        ignoreBlocker: true,
        resetScroll: false,
      });
    });
  };
  const fallBack = (to: string) =>
    submit.run(async () => {
      await saveTemplateVersion(saved.id, {
        ...{ version: saved.version, fallbackLocale: to, texts: [] },
      });
      showToast({ text: `Readers of other locales get ${to}.` });
    });
  const go = (at: string, { part, line }: Pick<Fault, 'part' | 'line'>) => {
    // Among the headers there is no text to go to.
    if (view === 'headers') flushSync(() => setView('side'));
    focusFault(at, part, line);
  };
  const step = (by: 1 | -1) => {
    const at = drafts.findIndex((text) => text === active);
    const to = drafts[Math.max(0, Math.min(drafts.length - 1, at + by))];
    if (to) show({ locale: to.locale });
  };
  useShortcuts([
    {
      keys: 'F8',
      does: 'next fault',
      run: () => faults?.[0] && go(faults[0].locale, faults[0]),
      whileTyping: true,
    },
    { keys: 'j', does: 'next locale', run: () => step(1) },
    { keys: 'k', does: 'previous locale', run: () => step(-1) },
  ]);
  const use = standing.data?.usedBy;
  const views = <ViewSwitch value={view} alone={drafts.length < 2} onChange={setView} />;
  return (
    <>
      <TopBar
        title={`${visible(saved.id)}, ${visible(saved.version)}`}
        within={WITHIN}
        actions={!phone && views}
      />
      <div className="flex min-w-0 flex-col gap-4 p-5 max-sm:p-3.5">
        {check.data ? (
          <Plate
            level={check.data.plate.level}
            sentence={visible(check.data.plate.sentence)}
            evidence={visible(check.data.plate.evidence)}
            {...(may &&
              slip && {
                action: (
                  <Button
                    onClick={() => {
                      const text = drafts.find((each) => each.locale === slip.locale);
                      if (text) change(mended(text, slip));
                    }}
                  >
                    Use {visible(slip.suggestion ?? '')}
                  </Button>
                ),
              })}
            {...(use && {
              cells: [
                <span key="used" className="text-note text-ink-2">
                  <span className="block">Used by</span>
                  <strong className="block text-title text-ink">
                    {use.topics === 0 ? 'no topic' : counted(use.topics, 'topic')}
                  </strong>
                  {numberWords(use.subscriptions)}
                  {use.isMore && ' or more'} subscriptions
                </span>,
              ],
            })}
          />
        ) : check.error ? (
          <Failure error={check.error} what="whether it is whole" onRetry={() => void check.refetch()} />
        ) : (
          <div className="h-20" />
        )}
        <FaultText text={submit.faultBesides()} />
        {phone && <div className="flex">{views}</div>}
        <LocaleTabs
          drafts={drafts}
          active={active?.locale}
          faulty={new Set(faults?.map((fault) => fault.locale))}
          always={view === 'one' || drafts.length > BESIDE}
          onShow={(to) => show({ locale: to })}
        />
        <div className="grid items-start gap-4 xl:grid-cols-[12rem_minmax(0,1fr)]">
          <Side
            saved={saved}
            standing={standing}
            variables={check.data?.variables ?? []}
            eventId={fed}
            onEvent={onEvent}
            onVersion={(version) => show({ version })}
            onLocale={(to) => show({ locale: to })}
            {...(may && {
              onNew: () => setFresh(true),
              onAddLocale: () => setAdding(true),
              onFallBack: fallBack,
            })}
            next={next}
          />
          <div
            className={`grid min-w-0 items-start gap-4 max-xl:order-first ${['', '', 'lg:grid-cols-2', 'lg:grid-cols-3'][shown.length] ?? ''}`}
          >
            {shown.map((text) => (
              <TextColumn
                key={text.locale}
                className={text === active ? '' : 'max-lg:hidden'}
                saved={saved}
                draft={text}
                settled={settled.find((each) => each.locale === text.locale) ?? text}
                checked={check.data?.texts.find((each) => each.locale === text.locale)}
                variables={check.data?.variables ?? []}
                eventId={fed === '' ? undefined : fed}
                headers={view === 'headers'}
                onGo={(fault) => go(text.locale, fault)}
                {...(may && { onChange: change })}
              />
            ))}
          </div>
        </div>
        {may && (
          <SaveBar
            changed={changed.length > 0 ? changed : fresh ? ['a new version'] : []}
            busy={submit.busy}
            onDiscard={() => {
              setDrafts(before);
              setFresh(false);
              submit.forget();
            }}
            onSave={save}
            action={blocking ? null : isNew ? `Save ${next}` : `Correct ${saved.version}`}
            effect={
              blocking
                ? `Mend line ${String(blocking.line)} of ${blocking.locale} to save ${isNew ? next : saved.version}`
                : isNew
                  ? `${saved.version} stays as it was sent`
                  : 'No mail has left with it yet'
            }
          />
        )}
      </div>
      {adding && (
        <AddLocale
          known={drafts.map((text) => text.locale)}
          onClose={() => setAdding(false)}
          onAdd={(tag) => {
            const pattern = active ?? drafts[0];
            if (pattern) setDrafts([...drafts, { ...pattern, locale: tag }]);
            setAdding(false);
            show({ locale: tag });
          }}
        />
      )}
    </>
  );
}

/** The active one and its neighbours. */
function besides(drafts: readonly TextDraft[], active: TextDraft | undefined): readonly TextDraft[] {
  const at = active ? drafts.indexOf(active) : 0;
  const from = Math.max(0, Math.min(at - 1, drafts.length - BESIDE));
  return drafts.slice(from, from + BESIDE);
}
