import type { ReactNode } from 'react';
import { Button } from '../button';
import { Dialog } from '../dialog';
import { Fault } from './fault';
import type { Submit } from './use-submit';

interface Props {
  readonly title: string;
  /** A verb with its object: "Add person". */
  readonly action: string;
  readonly submit: Submit;
  /** The fields that show their own fault. */
  readonly fields: readonly string[];
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A few fields and one action. Enter takes it. */
export const DialogForm = ({ title, action, submit, fields, onSubmit, onClose, children }: Props) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Fault text={submit.faultBesides(...fields)} />
        {children}
      </div>
    </Dialog>
  </form>
);
