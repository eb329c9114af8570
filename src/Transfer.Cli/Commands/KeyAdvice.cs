using System.Net;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>Says what to do about a key that names no object: it can be a prefix, or have wildcards as in other tools.</summary>
internal sealed class KeyAdvice(Connection connection, Invocation invocation)
{
    private const int MaxCounted = 1000;
    private const string NoSuchBucket = "NoSuchBucket";

    /// <summary>Gets what to do about wildcards in a key, which only commands for many objects expand; null if it has none.</summary>
    /// <param name="address">The address.</param>
    /// <param name="command">The name of the command.</param>
    public static string? AboutWildcards(Location address, string command = "cp") => KeyPattern.Find(address) is null ? null
        : command == "cp" ? $"use 'transfer cp -r '{address}' DST' to copy what matches"
        : $"use 'transfer ls '{address}'' to list what matches";

    /// <summary>Gets whether an error is that a source doesn't exist, although its bucket does.</summary>
    public static bool IsMissing(TransferException e)
        => e is { StatusCode: HttpStatusCode.NotFound, ErrorCode: not NoSuchBucket, CopySide: not CopySide.Target };

    /// <summary>Creates the error for an object that doesn't exist, with advice.</summary>
    /// <param name="address">The address of the object.</param>
    /// <param name="advice">What to do with a prefix: gets its address, and returns the advice.</param>
    /// <param name="requesterPays">Whether the requester pays.</param>
    /// <param name="cause">The error of the request.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="command">The name of the command.</param>
    /// <returns>The error; <paramref name="cause"/> itself if there is nothing to advise.</returns>
    public async Task<TransferException> ExplainAsync(Location address, Func<Location, string> advice, bool requesterPays, TransferException cause, CancellationToken cancellationToken, string command = "cp")
    {
        string? text = AboutWildcards(address, command);
        Location prefix = address with { Key = address.Key.TrimEnd('/') + "/" };
        if (text is null && await CountAsync(prefix, requesterPays, cancellationToken).ConfigureAwait(false) is > 0 and int count)
        {
            string objects = count == MaxCounted ? $"at least {Units.Number(count)} objects are" : count == 1 ? "1 object is" : $"{Units.Number(count)} objects are";
            text = $"{objects} under {prefix}; {advice(prefix)}";
        }

        return text is null ? cause : new TransferException($"{address}: there is no such object; {text}", cause)
        {
            Bucket = address.Bucket,
            Key = address.Key,
            RequestId = cause.RequestId,
        };
    }

    /// <summary>Throws the reason why a command has found no objects. An empty bucket is no error.</summary>
    /// <param name="client">The client.</param>
    /// <param name="settings">The objects that were looked for.</param>
    /// <param name="beginning">What to do with objects whose keys begin with the name of the folder, which isn't there.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task ExplainEmptyAsync(TransferClient client, ListSettings settings, string beginning, CancellationToken cancellationToken)
    {
        Location prefix = settings.Prefix;
        if (settings.Pattern is { } pattern)
        {
            throw new TransferException($"{pattern.Given}: {KeyPattern.NothingMatched}") { Bucket = prefix.Bucket, Key = pattern.Given.Key };
        }

        string? reason = FilterText.NothingMatched(settings.Options.Filter, leavesOutHidden: false);
        if (prefix.Key.Length > 0 && (reason is null || !await AnyAsync(prefix.Key).ConfigureAwait(false)))
        {
            string name = settings.Given.Key.TrimEnd('/');
            reason = "no objects found"
                + (settings.IsFolder && await AnyAsync(name).ConfigureAwait(false) ? $"; there are objects whose keys begin with '{name}': {beginning}" : string.Empty);
        }

        if (reason is not null)
        {
            throw new TransferException($"{prefix}: {reason}") { Bucket = prefix.Bucket, Key = prefix.Key };
        }

        ValueTask<bool> AnyAsync(string key)
            => client.ListObjectsAsync(prefix.Bucket, key, settings.Options with { Filter = null, Delimiter = null }, cancellationToken).AnyAsync(cancellationToken);
    }

    /// <summary>Counts the objects under a prefix, at most those of one page; 0 if they can't be listed.</summary>
    private async Task<int> CountAsync(Location prefix, bool requesterPays, CancellationToken cancellationToken)
    {
        try
        {
            TransferClient client = connection.CreateClient(invocation);
            await using (client.ConfigureAwait(false))
            {
                ListObjectsOptions options = new() { RequesterPays = requesterPays };
                return await client.ListObjectsAsync(prefix.Bucket, prefix.Key, options, cancellationToken).Take(MaxCounted).CountAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch (TransferException)
        {
            return 0; // the first error is the one to report
        }
    }
}
