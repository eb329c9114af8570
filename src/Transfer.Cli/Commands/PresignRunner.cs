using System.Globalization;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Creates a presigned URL, and warns if it works for less time than requested.</summary>
internal sealed class PresignRunner(Connection connection, Invocation invocation)
{
    /// <summary>The variable with the expiration time of the keys in the environment, as the AWS CLI exports it.</summary>
    private const string ExpirationVariable = "AWS_CREDENTIAL_EXPIRATION";

    public async Task RunAsync(Location address, HttpVerb method, string? versionId, TimeSpan lifetime)
    {
        DateTimeOffset expires = invocation.Time.GetUtcNow() + lifetime;
        string url = await connection.Client.GetPreSignedURLAsync(new GetPreSignedUrlRequest
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = versionId,
            Verb = method,
            Expires = expires.UtcDateTime,
            Protocol = connection.Settings.Endpoint?.Scheme == Uri.UriSchemeHttp ? Protocol.HTTP : Protocol.HTTPS,
        }).ConfigureAwait(false);
        DateTimeOffset works = await WarnAsync(expires).ConfigureAwait(false);
        invocation.WriteLine(new PresignedUrlJson(url, method.ToString(), works), ToolJsonContext.Default.PresignedUrlJson, static one => one.Url);
    }

    /// <summary>Warns if the credentials expire before the URL, or if that isn't known.</summary>
    /// <returns>When the URL stops working, as far as that is known.</returns>
    private async Task<DateTimeOffset> WarnAsync(DateTimeOffset expires)
    {
        if (FindExpiration() is { } end)
        {
            if (end < expires)
            {
                invocation.Warning($"the URL stops working at {end.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture)} UTC, when the credentials expire");
                return end;
            }
        }
        else if ((await connection.Credentials.Credentials.GetCredentialsAsync().ConfigureAwait(false)).UseToken)
        {
            invocation.Warning("the credentials are temporary; the URL stops working when they expire, even if that is earlier");
        }

        return expires;
    }

    private DateTimeOffset? FindExpiration()
    {
        if (connection.Credentials.Credentials.Expiration is { } expiration)
        {
            return new DateTimeOffset(expiration.ToUniversalTime());
        }

        return connection.Credentials.Credentials is SessionAWSCredentials
            && DateTimeOffset.TryParse(invocation.Values.Environment.Get(ExpirationVariable), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
            ? time
            : null;
    }
}
