using System.Globalization;
using System.Net;
using Amazon.Runtime;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Credentials;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Shows which credentials a connection uses.</summary>
internal sealed class WhoAmIRunner(Connection connection, Invocation invocation)
{
    private const string NoTokenService = "not known (the store has no token service)";
    private const int ShownCharacters = 4;
    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss";

    private bool _hasNoTokenService;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        ResolvedCredentials resolved = connection.Credentials;
        ImmutableCredentials? keys = resolved.Credentials is AnonymousAWSCredentials
            ? null
            : await resolved.Credentials.GetCredentialsAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        (string? account, string? arn) = keys is null ? default : await FindCallerAsync(keys.AccountId, cancellationToken).ConfigureAwait(false);
        WhoAmIJson result = new()
        {
            Endpoint = connection.Settings.Endpoint?.ToString(),
            Region = connection.Settings.Region,
            Source = resolved.Source,
            Profile = resolved.Profile,
            Account = account,
            Arn = arn,
            AccessKeySuffix = GetSuffix(keys?.AccessKey),
            Expires = (resolved.Credentials as RenewedCredentials)?.Expires,
        };
        if (invocation.Output.Json)
        {
            invocation.ResultWriter = writer => CommandRunner.WriteJson(writer, result, ToolJsonContext.Default.WhoAmIJson);
        }
        else
        {
            Write(result);
        }
    }

    // Another store has its own accounts. If it has a token service, its address must be configured: an endpoint of all services is that of the store, and
    // requests to it would tell nothing.
    private async Task<(string? Account, string? Arn)> FindCallerAsync(string? account, CancellationToken cancellationToken)
    {
        StsClient sts = new(connection.Settings, connection.Credentials.Profile ?? connection.Settings.Profile);
        if (connection.Settings.Endpoint is not null && !sts.HasOwnEndpoint)
        {
            _hasNoTokenService = true;
            return (account, null);
        }

        try
        {
            return await sts.GetCallerAsync(connection.Credentials.Credentials, cancellationToken).ConfigureAwait(false);
        }
        catch (AmazonServiceException e) when (e.StatusCode == HttpStatusCode.Forbidden || e.ErrorCode is "InvalidClientTokenId" or "ExpiredToken")
        {
            string code = string.IsNullOrEmpty(e.ErrorCode) ? string.Empty : $" ({e.ErrorCode})";
            throw new TransferException($"the token service rejected {connection.Credentials.Source}: {Printable.Line(e.Message)}{code}", e);
        }
        catch (Exception e) when (e is AmazonServiceException or AmazonClientException or HttpRequestException)
        {
            invocation.Warning($"the account is not known, because the token service did not tell it: {Printable.Line((e is AmazonServiceException ? e : e.InnerException ?? e).Message)}");
            return (account, null);
        }
    }

    private void Write(WhoAmIJson result)
    {
        (string Title, string? Value)[] rows =
        [
            ("Store", connection.Settings.StoreName),
            ("Region", result.Region),
            ("Source", result.Source),
            ("Account", result.Account ?? (_hasNoTokenService ? NoTokenService : null)),
            ("Identity", result.Arn),
            ("Access key", result.AccessKeySuffix is { } suffix ? $"ends in {suffix}" : null),
            ("Expires", GetExpiry(result)),
        ];
        int width = rows.Max(row => row.Title.Length) + 2;
        foreach ((string title, string? value) in rows)
        {
            if (value is not null)
            {
                invocation.Console.Output.WriteLine($"{title.PadRight(width)}{Printable.Text(value)}");
            }
        }
    }

    private string? GetExpiry(WhoAmIJson result) => result switch
    {
        { AccessKeySuffix: null } => null,
        { Expires: { } expires } => $"{expires.ToLocalTime().ToString(TimeFormat, CultureInfo.InvariantCulture)}, in {Units.Duration(expires - invocation.Time.GetUtcNow())}",
        _ => "not known, or never",
    };

    private static string? GetSuffix(string? key) => key is null ? null : key[^Math.Min(ShownCharacters, key.Length)..];
}
