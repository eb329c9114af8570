using System.Net;
using Amazon.Runtime;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Renews credentials of the SDK's sources, and replaces their errors with ones that say what to do.</summary>
internal static class SdkCredentials
{
    /// <param name="source">The source.</param>
    /// <param name="profile">The profile that names the source; null for none.</param>
    /// <param name="time">The clock.</param>
    public static RenewedCredentials Renew(RefreshingAWSCredentials source, string? profile, TimeProvider time)
    {
        source.ExpirationBuffer = source.PreemptExpiryTime = TimeSpan.Zero;
        return new RenewedCredentials(() => FetchAsync(source, profile), time);
    }

    private static async Task<RefreshingAWSCredentials.CredentialsRefreshState> FetchAsync(RefreshingAWSCredentials source, string? profile)
    {
        try
        {
            // The source returns what it has until it is cleared.
            source.ClearCredentials();
            ImmutableCredentials keys = await source.GetCredentialsAsync().ConfigureAwait(false);
            return new RefreshingAWSCredentials.CredentialsRefreshState(keys, source.Expiration ?? DateTime.MaxValue);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            throw new CredentialException(Message(source, profile, e), e);
        }
    }

    private static string Message(RefreshingAWSCredentials source, string? profile, Exception e) => source switch
    {
        SSOAWSCredentials sso when IsSignInNeeded(e) => $"the single sign-on session of profile '{profile}' has expired, or there is none; run 'aws sso login {Target(sso, profile)}'",
        SSOAWSCredentials => $"the single sign-on service returned no credentials for profile '{profile}': {Line(e)}",
        ProcessAWSCredentials => $"credential_process of profile '{profile}' returned no credentials: {Line(e)}",
        GenericContainerCredentials => $"the credentials of the container can't be used: {Line(e)}",
        _ => $"the credentials of profile '{profile}' can't be used: {Line(e)}",
    };

    // The SDK reports a missing or expired token without a code, and the service with status 401.
    private static bool IsSignInNeeded(Exception e) => e switch
    {
        AmazonServiceException service => service.StatusCode == HttpStatusCode.Unauthorized,
        AmazonClientException => true,
        _ => false,
    };

    private static string Target(SSOAWSCredentials sso, string? profile)
        => sso.Options.SessionName is { Length: > 0 } session ? $"--sso-session {session}" : $"--profile {profile}";

    private static string Line(Exception e) => Printable.Line(e.Message);
}
