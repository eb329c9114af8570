using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Requests copies of archived objects that can be read.</summary>
internal static class Restoration
{
    /// <summary>Requests a copy, unless that was done before.</summary>
    /// <exception cref="TransferException">The store refused the request.</exception>
    public static async Task RequestAsync(TransferRun run, ObjectAddress address, int days, CancellationToken cancellationToken)
    {
        try
        {
            await run.SendAsync(
                async token =>
                {
                    await run.Client.Wire.RestoreObjectAsync(address, days, token).ConfigureAwait(false);
                    return true;
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e.ErrorCode == "RestoreAlreadyInProgress")
        {
            // An earlier request, or one whose response was lost.
        }
        catch (WireException e)
        {
            throw Failures.Create(address, "request the restoration", null, e);
        }
    }

    /// <summary>Gets the error for an object that the store would refuse to read.</summary>
    public static TransferException NotReadable(ObjectAddress address) => new($"{address} is archived, and can't be read before it is restored.")
    {
        Bucket = address.Bucket,
        Key = address.Key,
        ErrorCode = ErrorKinds.Archived,
    };
}
