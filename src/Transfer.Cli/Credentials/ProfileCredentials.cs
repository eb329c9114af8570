using Amazon.Runtime;
using Amazon.Runtime.CredentialManagement;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Gets the credentials of a profile in the AWS configuration files.</summary>
/// <param name="profiles">The profiles.</param>
/// <param name="roles">Assumes roles.</param>
/// <param name="services">Gets credentials from the services of this machine, for credential_source.</param>
/// <param name="time">The clock.</param>
internal sealed class ProfileCredentials(ICredentialProfileSource profiles, RoleCredentials roles, LocalServices services, TimeProvider time)
{
    /// <summary>Gets the credentials of a profile; null if there is no such profile, or if it has no credentials.</summary>
    /// <exception cref="UsageException">Thrown when the profile is not valid.</exception>
    public ResolvedCredentials? Find(string name) => Find(name, []);

    private ResolvedCredentials? Find(string name, List<string> referrers)
    {
        if (!profiles.TryGetProfile(name, out CredentialProfile profile))
        {
            return null;
        }

        CredentialProfileOptions options = profile.Options;
        return options switch
        {
            { RoleArn.Length: > 0, EndpointName: null } => OfRole(name, options, [.. referrers, name]),
            { LoginSession.Length: > 0 } => throw new UsageException(
                $"the profile '{name}' signs in with 'aws login', which is not supported; use a profile with credential_process = aws configure export-credentials --profile {name}"),
            _ when profile.CanCreateAWSCredentials => OfSdk(name, profile),
            _ => null,
        };
    }

    private ResolvedCredentials OfRole(string name, CredentialProfileOptions options, List<string> referrers)
    {
        RoleToAssume role = new(options.RoleArn, NullIfEmpty(options.RoleSessionName), NullIfEmpty(options.ExternalID), NullIfEmpty(options.MfaSerial));
        if (options.WebIdentityTokenFile is { Length: > 0 } file)
        {
            return new ResolvedCredentials(roles.AssumeWithToken(file, role, name), $"role {role.Arn} of profile '{name}', with the token in {file}", name);
        }

        ResolvedCredentials source = options switch
        {
            { SourceProfile: { Length: > 0 } other } => OfSource(name, other, options, referrers),
            { CredentialSource: { Length: > 0 } service } => services.Find(service)
                ?? throw new UsageException($"credential_source of profile '{name}' is '{Printable.Text(service)}'; it accepts Environment, EcsContainer, and Ec2InstanceMetadata"),
            _ => throw new UsageException($"the profile '{name}' has role_arn; it also needs source_profile, credential_source, or web_identity_token_file"),
        };
        return new ResolvedCredentials(roles.Assume(source.Credentials, role, name), $"role {role.Arn} of profile '{name}', with {source.Source}", name);
    }

    private ResolvedCredentials OfSource(string name, string source, CredentialProfileOptions options, List<string> referrers)
    {
        if (source == name && options is { AccessKey.Length: > 0, SecretKey.Length: > 0 })
        {
            return new ResolvedCredentials(GetKeys(options), $"the access key of profile '{name}'", name);
        }

        if (referrers.Contains(source))
        {
            throw new UsageException($"the profiles {string.Join(", ", referrers.Select(each => $"'{each}'"))} refer to each other in a circle by source_profile");
        }

        return Find(source, referrers)
            ?? throw new UsageException($"source_profile of profile '{name}' is '{Printable.Text(source)}', but there is no such profile, or it has no credentials");
    }

    private ResolvedCredentials OfSdk(string name, CredentialProfile profile)
    {
        AWSCredentials credentials;
        SignOnClients.Register();
        try
        {
            credentials = profile.GetAWSCredentials(profiles);
        }
        catch (Exception e) when (e is AmazonClientException or InvalidOperationException or ArgumentException or InvalidDataException)
        {
            throw new UsageException($"the credentials of profile '{name}' can't be used: {Printable.Line(e.Message)}", e);
        }

        string source = credentials switch
        {
            SSOAWSCredentials sso => $"role {sso.RoleName} of account {sso.AccountId} by single sign-on, of profile '{name}'",
            ProcessAWSCredentials => $"credential_process of profile '{name}'",
            BasicAWSCredentials or SessionAWSCredentials => $"the access key of profile '{name}'",
            _ => $"profile '{name}'",
        };
        return new ResolvedCredentials(credentials is RefreshingAWSCredentials renewed ? SdkCredentials.Renew(renewed, name, time) : credentials, source, name);
    }

    private static AWSCredentials GetKeys(CredentialProfileOptions options)
        => string.IsNullOrEmpty(options.Token) ? new BasicAWSCredentials(options.AccessKey, options.SecretKey) : new SessionAWSCredentials(options.AccessKey, options.SecretKey, options.Token);

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
