export interface WebhookDialogProps {
  contractAddress: string;
  close: () => void;
}

export interface AboutWebhook extends WebhookDialogProps {
  id: string;
  url: string;
}
