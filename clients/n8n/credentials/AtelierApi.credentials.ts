import type { ICredentialTestRequest, ICredentialType, IAuthenticateGeneric, INodeProperties } from "n8n-workflow";

/** Where an install is, and a token for it. */
export class AtelierApi implements ICredentialType {
  name = "atelierApi";
  displayName = "Atelier API";
  properties: INodeProperties[] = [
    {
      displayName: "Address",
      name: "url",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://atelier.example.org",
      description: "The address of the install",
    },
    {
      displayName: "Token",
      name: "token",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "An API token of your account, which pays for the runs",
    },
    {
      displayName: "Workspace",
      name: "workspace",
      type: "string",
      default: "",
      description: "The ID of the workspace that pays; where the token belongs when empty",
    },
  ];
  authenticate: IAuthenticateGeneric = { type: "generic", properties: { headers: { Authorization: "=Bearer {{$credentials.token}}" } } };
  test: ICredentialTestRequest = { request: { baseURL: "={{$credentials.url}}", url: "/v1/me" } };
}
