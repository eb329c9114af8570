using System.Net;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Deletes one object. An object that doesn't exist is an error here, because its key was probably mistyped.</summary>
internal sealed class RemoveRunner(RemoveSettings settings, Connection connection, Invocation invocation)
{
    private readonly Location _address = settings.Address;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        invocation.Tally.HasRate = false;
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            ObjectInfo? info = await FindAsync(client, cancellationToken).ConfigureAwait(false);
            long? bytes = info?.Length;
            string which = settings.VersionId is null ? $"{_address}" : $"version {settings.VersionId} of {_address}";
            string size = bytes is { } known ? $", {ByteSize.Format(known)}" : string.Empty;
            DeleteResult? result = null;
            if (!settings.DryRun)
            {
                DeleteOptions options = new() { VersionId = settings.VersionId, RequesterPays = settings.RequesterPays };
                result = await client.DeleteAsync(_address.Bucket, _address.Key, options, cancellationToken).ConfigureAwait(false);
                invocation.Report?.Add(ReportLines.Deleted(_address, bytes, info?.ETag, settings.VersionId));
            }

            (invocation.Tally.Objects, invocation.Tally.Bytes, invocation.Tally.Retries) = (1, bytes ?? 0, result?.Statistics.Retries ?? 0);
            if (settings.DryRun && invocation.Output.Json)
            {
                new ListWriter(invocation).Planned(PlannedJson.Delete(_address.ToString(), bytes, settings.VersionId));
            }

            string marker = result is { IsDeleteMarker: true, VersionId: { } version } && settings.VersionId is null ? $"; its versions remain, behind the delete marker {version}" : string.Empty;
            invocation.Summary($"{(settings.DryRun ? "would delete" : "deleted")} {which}{size}{marker}");
        }
    }

    /// <summary>Gets the properties of the object; null if they aren't known, because reading isn't allowed, or because a version can be a delete marker.</summary>
    private async Task<ObjectInfo?> FindAsync(TransferClient client, CancellationToken cancellationToken)
    {
        if (settings.VersionId is not null)
        {
            return null;
        }

        try
        {
            ObjectAccessOptions options = new() { RequesterPays = settings.RequesterPays };
            return await client.GetInfoAsync(_address.Bucket, _address.Key, options, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (KeyAdvice.IsMissing(e))
        {
            throw await new KeyAdvice(connection, invocation)
                .ExplainAsync(_address, prefix => $"add -r to delete them: transfer rm -r {prefix}", settings.RequesterPays, e, cancellationToken, command: "rm").ConfigureAwait(false);
        }
        catch (TransferException e) when (e.StatusCode is HttpStatusCode.Forbidden or HttpStatusCode.BadRequest)
        {
            return null; // the object can be encrypted with a key of the customer, and who can delete it can't always read it
        }
    }
}
