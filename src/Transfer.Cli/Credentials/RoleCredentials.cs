using Amazon.Runtime;
using Amazon.SecurityToken.Model;
using Transfer.S3.Cli.Connections;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Gets the credentials of roles.</summary>
/// <param name="settings">The region, and the certificates to trust.</param>
/// <param name="askUser">Asks the user at the terminal; returns null if there is none.</param>
/// <param name="time">The clock.</param>
internal sealed class RoleCredentials(ConnectionSettings settings, Func<string, string?> askUser, TimeProvider time)
{
    /// <summary>Assumes a role with other credentials.</summary>
    /// <param name="source">The credentials that can assume the role.</param>
    /// <param name="role">The role.</param>
    /// <param name="profile">The profile that names the role.</param>
    public RenewedCredentials Assume(AWSCredentials source, RoleToAssume role, string profile)
    {
        StsClient sts = new(settings, profile);
        bool hasSession = false;
        return new RenewedCredentials(
            () => FetchAsync(role.Arn, async () =>
            {
                AssumeRoleRequest request = new() { RoleArn = role.Arn, RoleSessionName = SessionName(role.SessionName), ExternalId = role.ExternalId };
                if (role.MfaSerial is { } serial)
                {
                    request.SerialNumber = serial;
                    request.TokenCode = hasSession
                        ? throw new CredentialException($"the session of role {role.Arn} can't be renewed without a new MFA code; run the command again")
                        : AskForCode(role.Arn, serial);
                }

                RefreshingAWSCredentials.CredentialsRefreshState session = await sts.AssumeRoleAsync(source, request).ConfigureAwait(false);
                hasSession = true;
                return session;
            }),
            time);
    }

    /// <summary>Assumes a role with a token from a file, which is read again for each renewal.</summary>
    /// <param name="file">The file.</param>
    /// <param name="role">The role.</param>
    /// <param name="profile">The profile that names the role; null if the environment does.</param>
    public RenewedCredentials AssumeWithToken(string file, RoleToAssume role, string? profile)
    {
        StsClient sts = new(settings, profile);
        return new RenewedCredentials(
            () => FetchAsync(role.Arn, async () => await sts.AssumeRoleAsync(new AssumeRoleWithWebIdentityRequest
            {
                RoleArn = role.Arn,
                RoleSessionName = SessionName(role.SessionName),
                WebIdentityToken = await ReadTokenAsync(file).ConfigureAwait(false),
            }).ConfigureAwait(false)),
            time);
    }

    private static async Task<RefreshingAWSCredentials.CredentialsRefreshState> FetchAsync(string role, Func<Task<RefreshingAWSCredentials.CredentialsRefreshState>> assume)
    {
        try
        {
            return await assume().ConfigureAwait(false);
        }
        catch (AmazonServiceException e)
        {
            string code = string.IsNullOrEmpty(e.ErrorCode) || e.Message.Contains(e.ErrorCode, StringComparison.Ordinal) ? string.Empty : $" ({e.ErrorCode})";
            throw new CredentialException($"the role {role} can't be assumed: {(e.StatusCode == 0 ? (e.InnerException ?? e).Message : e.Message)}{code}", e);
        }
        catch (HttpRequestException e)
        {
            throw new CredentialException($"the role {role} can't be assumed: the Security Token Service could not be reached: {e.Message}", e);
        }
    }

    private static async Task<string> ReadTokenAsync(string file)
    {
        try
        {
            return (await File.ReadAllTextAsync(file).ConfigureAwait(false)).Trim();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CredentialException($"the web identity token file can't be read: {e.Message}", e);
        }
    }

    private string AskForCode(string role, string serial)
        => askUser($"Enter the MFA code of {serial} for {role}: ")?.Trim() is { Length: > 0 } code
            ? code
            : throw new CredentialException($"the role {role} needs an MFA code of {serial}, and there is no terminal to enter it; run the command in a terminal");

    private string SessionName(string? configured) => configured ?? $"transfer-{time.GetUtcNow().ToUnixTimeSeconds()}";
}
