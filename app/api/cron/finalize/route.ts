import { randomUUID } from "node:crypto";
import { answerCron } from "@/server/host/answer-cron";

export const dynamic = "force-dynamic";
export const maxDuration = 60;

export const GET = (request: Request) => answerCron(request, randomUUID(), { maxDuration });
