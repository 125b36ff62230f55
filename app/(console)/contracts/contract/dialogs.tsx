"use client";
import { DecideChangeDialog, ProposeRuleDialog } from "./approval-dialogs";
import { CreateTokenDialog } from "./create-token-dialog";
import type { ContractDialogProps, Question } from "./dialog-props";
import { GrantDialog } from "./grant-dialog";
import { IssuanceDialog } from "./issuance-dialog";
import { OperatorDialog } from "./operator-dialog";
import { RenameDialog } from "./rename-dialog";
import { RevokeDialog } from "./revoke-dialog";

/** In one chunk, which is loaded with the first dialog. */
export function ContractDialogs({ question, ...props }: ContractDialogProps & { question: Question }) {
  switch (question.kind) {
    case "rename":
      return <RenameDialog {...props} />;
    case "issuance":
      return <IssuanceDialog {...props} />;
    case "operator":
      return <OperatorDialog {...props} />;
    case "grant":
      return <GrantDialog {...props} />;
    case "create-token":
      return <CreateTokenDialog {...props} />;
    case "propose-rule":
      return <ProposeRuleDialog {...props} />;
    case "decide-change":
      return <DecideChangeDialog {...props} decision={question.decision} change={question.change} />;
    case "revoke":
      return <RevokeDialog {...props} token={question.token} />;
  }
}
