"use client";
import { Fact, FactList } from "../../ui/fact-list";
import { Section } from "../batches/batch/section";
import { useStaff } from "../staff";
import { Sessions } from "./sessions";

export function ProfileView() {
  const { email, role } = useStaff();
  return (
    <div className="mx-auto flex w-full max-w-[688px] flex-col gap-6 p-4 md:p-6">
      <h1 className="font-semibold text-title">Your profile</h1>
      <Section title="Account">
        <FactList>
          <Fact name="Email">
            <span className="wrap-anywhere">{email}</span>
          </Fact>
          <Fact name="Role">
            <span className="first-letter:uppercase inline-block">{role}</span>
          </Fact>
        </FactList>
      </Section>
      <Sessions />
    </div>
  );
}
