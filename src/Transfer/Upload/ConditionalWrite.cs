using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>
/// Publishes an object only if its key doesn't exist, or only if it replaces an object that has an ETag, also on stores that ignore or reject such conditions. Until
/// the store is known to honor the header, a HEAD request is sent first.
/// </summary>
internal sealed class ConditionalWrite(TransferRun run, ObjectAddress address, StoreTrait operation)
{
    /// <summary>Gets or sets the result of a HEAD request that was just sent; null if none was sent.</summary>
    public ObjectPresence? Presence { get; set; }

    /// <summary>
    /// Gets a value that indicates whether a success is followed by the same request, to prove that the store enforces the condition. It is used if
    /// many other objects follow, which wait for it, so that they don't have to be looked up.
    /// </summary>
    public bool Proves { get; init; }

    private StoreSupport Level => run.Client.Profile.GetSupport(operation, address.Bucket);

    /// <summary>Gets the lookup that an object takes before it is published.</summary>
    /// <param name="profile">What is known about the store.</param>
    /// <param name="bucket">The bucket.</param>
    /// <param name="operation">The condition that the request can have if the key must not exist.</param>
    /// <param name="replaces">Whether it replaces an object that has an ETag.</param>
    public static StoreUsage EstimateLookup(StoreProfile profile, string bucket, StoreTrait operation, bool replaces = false)
        => profile.GetSupport(replaces ? GetMatch(operation) : operation, bucket) == StoreSupport.Supported ? default : RequestKind.HeadObject.ToUsage();

    /// <summary>Gets what a new object takes that proves that the store honors the condition (<see cref="Proves"/>): a lookup, and its content a second time.</summary>
    public static StoreUsage EstimateProof(StoreProfile profile, string bucket, long length)
        => EstimateLookup(profile, bucket, StoreTrait.PutCondition) is { Requests: > 0 } lookup ? lookup + (RequestKind.PutObject.ToUsage() with { BytesSent = length }) : default;

    /// <summary>Publishes the object.</summary>
    /// <param name="target">The object and its condition.</param>
    /// <param name="sendAsync">Sends the request.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="WireException">Thrown when the request failed. With <see cref="FailureKind.PreconditionFailed"/>, the key exists.</exception>
    public async Task<PublishedObject> SendAsync(NewObject target, Func<NewObject, Task<PublishedObject>> sendAsync, CancellationToken cancellationToken)
    {
        if (target.Condition is { IfMatch: { } wanted, IsTrusted: false })
        {
            return await SendIfUnchangedAsync(target, wanted, sendAsync, cancellationToken).ConfigureAwait(false);
        }

        if (target.Condition is not { ForbidsOverwrite: true, IsTrusted: false })
        {
            return await sendAsync(target).ConfigureAwait(false);
        }

        StoreProfile profile = run.Client.Profile;
        bool proves = Proves && profile.TryBeginProof(operation, address.Bucket);
        if (Proves && !proves)
        {
            await profile.WhenProvenAsync(operation, address.Bucket, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            return await SendNewAsync(target, sendAsync, proves, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (proves)
            {
                profile.EndProof(operation, address.Bucket);
            }
        }
    }

    private static StoreTrait GetMatch(StoreTrait operation) => operation == StoreTrait.PutCondition ? StoreTrait.PutMatch : StoreTrait.CompleteMatch;

    /// <summary>Publishes an object only if its key doesn't exist.</summary>
    private async Task<PublishedObject> SendNewAsync(NewObject target, Func<NewObject, Task<PublishedObject>> sendAsync, bool proves, CancellationToken cancellationToken)
    {
        StoreSupport level = Level;
        if (level != StoreSupport.Supported && await LookAsync(cancellationToken).ConfigureAwait(false) != ObjectPresence.Absent && level == StoreSupport.Refused)
        {
            throw new WireException(FailureKind.Final, "the store rejects If-None-Match and does not return whether the key exists, so an existing object could be replaced");
        }

        try
        {
            PublishedObject published = await sendAsync(level == StoreSupport.Refused ? Unconditional(target) : target).ConfigureAwait(false);
            return proves && Level == StoreSupport.Unknown ? await ProveAsync(target, published, sendAsync).ConfigureAwait(false) : published;
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed && level == StoreSupport.Refused)
        {
            throw OfNoCondition(e);
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed && operation != StoreTrait.CopyCondition) // for a copy, the error can apply to the source
        {
            await CheckIsOfStoreAsync(e, cancellationToken).ConfigureAwait(false);
            run.Client.Profile.LearnCondition(operation, address.Bucket, StoreSupport.Supported);
            throw;
        }
        catch (WireException e) when (level is StoreSupport.Unknown or StoreSupport.Ignored && Refusals.IsOfValue(e.StatusCode, e.ErrorCode))
        {
            return await SendWithoutAsync(target, e, sendAsync, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Replaces an object that has an ETag. Some stores ignore If-Match, so a HEAD request compares the ETag first, until the store is known to honor the header. Another
    /// writer can still replace the object between the two requests.
    /// </summary>
    private async Task<PublishedObject> SendIfUnchangedAsync(
        NewObject target, string wanted, Func<NewObject, Task<PublishedObject>> sendAsync, CancellationToken cancellationToken)
    {
        StoreProfile profile = run.Client.Profile;
        StoreTrait trait = GetMatch(operation);
        StoreSupport support = profile.GetSupport(trait, address.Bucket);
        bool isSame = support != StoreSupport.Supported && await IsUnchangedAsync(wanted, cancellationToken).ConfigureAwait(false);
        if (support == StoreSupport.Ignored && profile.TryBeginProof(StoreTrait.AnyMatch, address.Bucket))
        {
            Log.MatchIgnored(run.Client.Logger, address.Bucket);
        }

        try
        {
            return await sendAsync(target).ConfigureAwait(false);
        }
        catch (WireException e) when (e is { Kind: FailureKind.PreconditionFailed, ErrorCode: not null })
        {
            // Ceph compares the header with the ETag without its quotes.
            if (isSame && wanted.Length > 2 && wanted.StartsWith('"'))
            {
                return await sendAsync(target with { Condition = target.Condition with { IfMatch = wanted.Trim('"') } }).ConfigureAwait(false);
            }

            profile.Learn(trait, address.Bucket, StoreSupport.Supported);
            throw;
        }
    }

    /// <returns>False if the store doesn't tell the ETag.</returns>
    /// <exception cref="WireException">Thrown when the object has another ETag or doesn't exist, or when the store didn't respond.</exception>
    private async Task<bool> IsUnchangedAsync(string wanted, CancellationToken cancellationToken)
    {
        ObjectInfo info;
        try
        {
            info = (await run.SendAsync(token => run.Client.Wire.HeadAsync(address, token), cancellationToken).ConfigureAwait(false)).Info;
        }
        catch (WireException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            throw new WireException(FailureKind.PreconditionFailed, "the key doesn't exist", e) { StatusCode = HttpStatusCode.PreconditionFailed };
        }
        catch (WireException e) when (e.Kind == FailureKind.Final)
        {
            return false; // the credentials may not be allowed to read, so only the store can compare
        }

        return wanted == "*" || string.IsNullOrEmpty(info.ETag) || ETags.AreSame(wanted, info.ETag)
            ? !string.IsNullOrEmpty(info.ETag)
            : throw new WireException(FailureKind.PreconditionFailed, $"the object has the ETag {info.ETag}") { StatusCode = HttpStatusCode.PreconditionFailed };
    }

    /// <summary>Believes a status 412 without S3's error code, which a proxy can have sent, only if the key exists.</summary>
    private async Task CheckIsOfStoreAsync(WireException e, CancellationToken cancellationToken)
    {
        if (e.ErrorCode is null)
        {
            Presence = null;
            await LookAsync(cancellationToken).ConfigureAwait(false);
            throw OfNoCondition(e);
        }
    }

    /// <summary>Sends the same request without the header. If that succeeds, the store rejected the header.</summary>
    private async Task<PublishedObject> SendWithoutAsync(
        NewObject target, WireException refusal, Func<NewObject, Task<PublishedObject>> sendAsync, CancellationToken cancellationToken)
    {
        Presence = null;
        if (await LookAsync(cancellationToken).ConfigureAwait(false) != ObjectPresence.Absent)
        {
            throw refusal;
        }

        PublishedObject published;
        try
        {
            published = await sendAsync(Unconditional(target)).ConfigureAwait(false);
        }
        catch (WireException e) when (e.Kind == FailureKind.PreconditionFailed)
        {
            throw OfNoCondition(e);
        }

        run.Client.Profile.LearnCondition(operation, address.Bucket, StoreSupport.Refused, refusal.Message);
        return published;
    }

    /// <summary>
    /// Publishes the same object again. A store that honors the condition rejects that. Otherwise, the object that was published a moment ago is replaced with the
    /// same content.
    /// </summary>
    private async Task<PublishedObject> ProveAsync(NewObject target, PublishedObject published, Func<NewObject, Task<PublishedObject>> sendAsync)
    {
        try
        {
            PublishedObject again = await sendAsync(target).ConfigureAwait(false);
            run.Client.Profile.LearnCondition(operation, address.Bucket, StoreSupport.Ignored, "an object was published twice");
            return again;
        }
        catch (WireException e)
        {
            if (e is { Kind: FailureKind.PreconditionFailed, ErrorCode: not null })
            {
                run.Client.Profile.LearnCondition(operation, address.Bucket, StoreSupport.Supported);
            }

            return published; // the object is published, so the error doesn't matter
        }
    }

    /// <exception cref="WireException">Thrown when the key exists or the store didn't respond.</exception>
    private async ValueTask<ObjectPresence> LookAsync(CancellationToken cancellationToken)
    {
        Presence ??= await PresenceLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
        return Presence != ObjectPresence.Present
            ? Presence.Value
            : throw new WireException(FailureKind.PreconditionFailed, "the key already exists") { StatusCode = HttpStatusCode.PreconditionFailed };
    }

    /// <summary>Converts status 412 of a request without the condition, which shows nothing about the key.</summary>
    private static WireException OfNoCondition(WireException e) => new(FailureKind.Final, e.Message, e)
    {
        StatusCode = e.StatusCode,
        ErrorCode = e.ErrorCode,
        RequestId = e.RequestId,
        Attempts = e.Attempts,
    };

    private static NewObject Unconditional(NewObject target) => target with { Condition = default };
}
