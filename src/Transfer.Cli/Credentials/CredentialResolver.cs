using Amazon.Runtime;
using Amazon.Runtime.CredentialManagement;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Credentials;

/// <summary>
/// Finds credentials in the order of the AWS SDKs: access keys, a web identity token of the environment, the profile, the container, and the instance. A profile
/// on the command line is the only source.
/// </summary>
internal static class CredentialResolver
{
    private const string DefaultProfile = "default";
    private const string None =
        "no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, select a profile with --profile, or use --no-sign-request for a public bucket";

    /// <summary>Finds credentials, and requests them once, so that an error is reported before anything is sent to the store.</summary>
    /// <exception cref="UsageException">Thrown when there are no credentials, or when they can't be used.</exception>
    public static async Task<ResolvedCredentials> ResolveAsync(
        ConnectionSettings settings, Func<string, string?> askUser, TimeProvider time, CancellationToken cancellationToken)
    {
        LocalServices services = new(settings.Environment, time);
        if (Find(settings, askUser, services, time) is { } found)
        {
            return await CheckAsync(found, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            return await CheckAsync(services.OfInstance(), cancellationToken).ConfigureAwait(false);
        }
        catch (UsageException e)
        {
            throw new UsageException(None + AwsProfiles.DescribeUnused(), e);
        }
    }

    private static async Task<ResolvedCredentials> CheckAsync(ResolvedCredentials found, CancellationToken cancellationToken)
    {
        try
        {
            if (found.Credentials is not AnonymousAWSCredentials)
            {
                await found.Credentials.GetCredentialsAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
            }

            return found;
        }
        catch (CredentialException e)
        {
            throw new UsageException(e.Message, e);
        }
        catch (AmazonClientException e)
        {
            throw new UsageException($"{found.Source} can't be used: {Printable.Line(e.Message)}", e);
        }
    }

    private static ResolvedCredentials? Find(ConnectionSettings settings, Func<string, string?> askUser, LocalServices services, TimeProvider time)
    {
        if (settings.IsAnonymous)
        {
            return new ResolvedCredentials(new AnonymousAWSCredentials(), "no credentials");
        }

        if (settings.Keys is { } keys)
        {
            return new ResolvedCredentials(keys.ToCredentials(), keys.Source);
        }

        RoleCredentials roles = new(settings, askUser, time);
        if (!settings.IsProfileExplicit && settings.Environment.Get("AWS_WEB_IDENTITY_TOKEN_FILE") is { } file)
        {
            string arn = settings.Environment.Get("AWS_ROLE_ARN") ?? throw new UsageException("AWS_WEB_IDENTITY_TOKEN_FILE is set and AWS_ROLE_ARN is not; set both or neither");
            RoleToAssume role = new(arn, settings.Environment.Get("AWS_ROLE_SESSION_NAME"));
            return new ResolvedCredentials(roles.AssumeWithToken(file, role, settings.Profile), $"role {arn} of the environment, with the token in {file}");
        }

        return new ProfileCredentials(new CredentialProfileStoreChain(), roles, services, time).Find(settings.Profile ?? DefaultProfile)
            ?? (settings.IsProfileExplicit ? throw new UsageException($"the profile '{settings.Profile}' has no credentials")
                : services.HasContainer ? services.OfContainer()
                : null);
    }
}
