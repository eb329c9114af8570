using System.Net;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>
/// Publishes one object only if there is none under its key, also on stores that ignore If-None-Match or refuse it: until the store has proved to honor the header,
/// a HEAD comes before the request.
/// </summary>
internal sealed class ConditionalWrite(ClientContext context, ObjectAddress address, PublishOperation operation, TransferReporter reporter)
{
    /// <summary>What a HEAD has just told; null if none was sent.</summary>
    public ObjectPresence? Presence { get; set; }

    /// <summary>Whether a success is worth a second request, which must fail: many others are to follow.</summary>
    public bool Proves { get; init; }

    private ConditionLevel Level => context.Conditions.Of(address.Bucket, operation);

    /// <summary>Publishes the object.</summary>
    /// <param name="target">What to publish, on which condition.</param>
    /// <param name="sendAsync">Sends the request.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="WireException">The request failed; with <see cref="FailureKind.PreconditionFailed"/>, there is an object.</exception>
    public async Task<PublishedObject> SendAsync(NewObject target, Func<NewObject, Task<PublishedObject>> sendAsync, CancellationToken cancellationToken)
    {
        if (target.Condition is not { OnlyIfAbsent: true, IsTrusted: false })
        {
            return await sendAsync(target).ConfigureAwait(false);
        }

        ConditionLevel level = Level;
        if (level != ConditionLevel.Honored && await LookAsync(cancellationToken).ConfigureAwait(false) != ObjectPresence.Absent && level == ConditionLevel.Refused)
        {
            throw new WireException(FailureKind.Final, "the store rejects If-None-Match and does not tell whether the key exists, so an existing object could be replaced");
        }

        try
        {
            PublishedObject published = await sendAsync(level == ConditionLevel.Refused ? Unconditional(target) : target).ConfigureAwait(false);
            return Proves && context.Conditions.TryBeginProof(address.Bucket, operation) ? await ProveAsync(target, published, sendAsync).ConfigureAwait(false) : published;
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed && operation != PublishOperation.Copy) // there it may be about the source
        {
            context.Conditions.Honors(address.Bucket, operation);
            throw;
        }
        catch (WireException e) when (level is ConditionLevel.Unknown or ConditionLevel.Ignored && MayBeRefusal(e))
        {
            return await SendWithoutAsync(target, e, sendAsync, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Sends the same request without its header: if that succeeds, it was the header that the store refused.</summary>
    private async Task<PublishedObject> SendWithoutAsync(
        NewObject target, WireException refusal, Func<NewObject, Task<PublishedObject>> sendAsync, CancellationToken cancellationToken)
    {
        Presence = null;
        if (await LookAsync(cancellationToken).ConfigureAwait(false) != ObjectPresence.Absent)
        {
            throw refusal;
        }

        PublishedObject published = await sendAsync(Unconditional(target)).ConfigureAwait(false);
        context.Conditions.Refuses(address.Bucket, operation, refusal.Message);
        return published;
    }

    /// <summary>
    /// Publishes the object, which is there now, once more: a store that honors the condition refuses that. What is replaced otherwise is the object that was
    /// published here a moment ago, with the same bytes.
    /// </summary>
    private async Task<PublishedObject> ProveAsync(NewObject target, PublishedObject published, Func<NewObject, Task<PublishedObject>> sendAsync)
    {
        try
        {
            PublishedObject again = await sendAsync(target).ConfigureAwait(false);
            context.Conditions.Ignores(address.Bucket, operation);
            return again;
        }
        catch (WireException e)
        {
            if (e.Kind == FailureKind.PreconditionFailed)
            {
                context.Conditions.Honors(address.Bucket, operation);
            }

            return published; // whatever went wrong, the object is there
        }
        finally
        {
            context.Conditions.EndProof(address.Bucket, operation);
        }
    }

    /// <exception cref="WireException">There is an object, or the store did not answer.</exception>
    private async ValueTask<ObjectPresence> LookAsync(CancellationToken cancellationToken)
    {
        Presence ??= await PresenceLookup.RunAsync(context, address, reporter, cancellationToken).ConfigureAwait(false);
        return Presence != ObjectPresence.Present
            ? Presence.Value
            : throw new WireException(FailureKind.PreconditionFailed, "the key already exists") { StatusCode = HttpStatusCode.PreconditionFailed };
    }

    private static NewObject Unconditional(NewObject target) => target with { Condition = default };

    private static bool MayBeRefusal(WireException e) => e.StatusCode == HttpStatusCode.NotImplemented
        || (e.StatusCode == HttpStatusCode.BadRequest && e.ErrorCode is "NotImplemented" or "InvalidArgument" or "InvalidRequest" or "UnsupportedHeader");
}
