using Amazon.Runtime;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Credentials, and where they come from.</summary>
/// <param name="Credentials">The credentials. The first request for them can contact a service.</param>
/// <param name="Source">The source in messages. It contains no part of the credentials.</param>
/// <param name="Profile">The profile that they come from; null for none.</param>
internal sealed record ResolvedCredentials(AWSCredentials Credentials, string Source, string? Profile = null);
