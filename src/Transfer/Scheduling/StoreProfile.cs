using System.Collections.Concurrent;
using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>What a client has learned about its store, so that what isn't supported isn't tried for every object.</summary>
/// <remarks>
/// Scope: what a policy, a permission, or the version of one cluster can decide is known for a bucket. Only what the software of the store decides, which are
/// calls that it doesn't implement and algorithms of checksums, is known for all buckets (<see cref="EveryBucket"/>).
/// Expiry: everything is forgotten after <see cref="MemoryTime"/>, because stores are upgraded and permissions are granted. The first thing that was learned
/// counts until then. What is learned again isn't logged again.
/// </remarks>
internal sealed class StoreProfile(TimeProvider time, ILogger logger)
{
    /// <summary>The time for which something is known.</summary>
    public static readonly TimeSpan MemoryTime = TimeSpan.FromMinutes(5);

    /// <summary>The scope of what is known for all buckets.</summary>
    public const string EveryBucket = "";

    private const int MaxFacts = 4_000;
    private static readonly ChecksumAlgorithm[] BestFirst = [ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Md5];
    private readonly ConcurrentDictionary<(StoreTrait Trait, string Scope), Fact> _facts = new();
    private readonly ConcurrentDictionary<(StoreTrait Trait, string Bucket), bool> _proofs = new();

    /// <summary>Gets a value that indicates whether the client is configured to send none of the newer algorithms, because no operation requires them.</summary>
    public bool SendsOnlyRequiredChecksums { get; init; }

    /// <summary>
    /// Gets the checksum algorithm of uploads if none is specified: the best one that the store has not refused. A store without S3's newer algorithms still supports
    /// Content-MD5.
    /// </summary>
    public ChecksumAlgorithm Checksum
    {
        get
        {
            int at = SendsOnlyRequiredChecksums ? BestFirst.Length - 1 : 0;
            while (TraitOf(BestFirst[at]) is { } trait && Of(trait, EveryBucket) == StoreSupport.Refused)
            {
                at++;
            }

            return BestFirst[at];
        }
    }

    /// <summary>Gets the error that shows that the store doesn't implement GetObjectAttributes; null if there was none.</summary>
    public string? NoAttributes => Find(StoreTrait.Attributes, EveryBucket)?.Reason;

    /// <summary>Gets the algorithm to try after one was refused; null if there is none.</summary>
    public static ChecksumAlgorithm? After(ChecksumAlgorithm refused)
        => Array.IndexOf(BestFirst, refused) is >= 0 and int at && at + 1 < BestFirst.Length ? BestFirst[at + 1] : null;

    public StoreSupport Of(StoreTrait trait, string scope) => Find(trait, scope)?.Support ?? StoreSupport.Unknown;

    public StoreSupport ConditionOf(string bucket, PublishOperation operation) => Of(TraitOf(operation), bucket);

    /// <summary>Learns whether a store supports something.</summary>
    /// <param name="trait">What it supports or doesn't support.</param>
    /// <param name="scope">The bucket, or <see cref="EveryBucket"/>.</param>
    /// <param name="support">Whether it does.</param>
    /// <param name="reason">The error that shows it, if any.</param>
    /// <returns>Whether this is known for the first time.</returns>
    public bool Learn(StoreTrait trait, string scope, StoreSupport support, string reason = "")
    {
        Fact? before = _facts.GetValueOrDefault((trait, scope));
        if (before is not null && IsRecent(before))
        {
            return false;
        }

        if (_facts.Count >= MaxFacts)
        {
            _facts.Clear();
        }

        Fact fact = new(support, reason, time.GetTimestamp());
        bool isLearned = before is null ? _facts.TryAdd((trait, scope), fact) : _facts.TryUpdate((trait, scope), fact, before);
        return isLearned && before?.Support != support;
    }

    /// <summary>Returns whether another call than GetObjectAttributes is preferred for the objects of a bucket.</summary>
    public bool RefusesAttributes(string bucket) => NoAttributes is not null || Find(StoreTrait.Attributes, bucket) is not null;

    /// <summary>
    /// Learns from an error of GetObjectAttributes that can't be retried. Any error but that the call isn't implemented, such as a missing permission, applies to an
    /// object, a prefix, or a bucket, so that a HEAD request is preferred where one can be sent.
    /// </summary>
    public void LearnAttributes(string bucket, WireException error)
    {
        bool isStore = error.StatusCode is HttpStatusCode.NotImplemented or HttpStatusCode.MethodNotAllowed || error.ErrorCode is "NotImplemented" or "MethodNotAllowed";
        if (isStore || (!ErrorKinds.PassesWithCredentials(error.ErrorCode) && error.StatusCode != HttpStatusCode.NotFound))
        {
            Learn(StoreTrait.Attributes, isStore ? EveryBucket : bucket, StoreSupport.Refused, error.Message);
        }
    }

    /// <summary>Learns that the store accepted a checksum algorithm after it had refused the better ones.</summary>
    /// <returns>Whether that wasn't known before.</returns>
    public bool LearnChecksum(ChecksumAlgorithm accepted)
    {
        bool isNew = false;
        foreach (ChecksumAlgorithm better in BestFirst.AsSpan(0, Math.Max(0, Array.IndexOf(BestFirst, accepted))))
        {
            isNew |= Learn(TraitOf(better)!.Value, EveryBucket, StoreSupport.Refused);
        }

        return isNew;
    }

    /// <summary>Learns from a response with status 412 that a bucket honors If-None-Match on writes.</summary>
    public void HonorsCondition(string bucket, PublishOperation operation) => Learn(TraitOf(operation), bucket, StoreSupport.Supported);

    /// <summary>Learns that an object was replaced despite If-None-Match.</summary>
    public void IgnoresCondition(string bucket, PublishOperation operation)
    {
        if (LearnConditions(bucket, operation, StoreSupport.Ignored, string.Empty))
        {
            Log.ConditionIgnored(logger, bucket);
        }
    }

    /// <summary>Learns that a request succeeded only without If-None-Match.</summary>
    public void RefusesCondition(string bucket, PublishOperation operation, string reason)
    {
        if (LearnConditions(bucket, operation, StoreSupport.Refused, reason))
        {
            Log.ConditionRefused(logger, bucket, reason);
        }
    }

    /// <summary>Begins a check of If-None-Match, if its support isn't known and no other check is in progress.</summary>
    public bool TryBeginProof(string bucket, PublishOperation operation)
        => ConditionOf(bucket, operation) == StoreSupport.Unknown && _proofs.TryAdd((TraitOf(operation), bucket), true);

    /// <summary>Ends a check, with or without a result.</summary>
    public void EndProof(string bucket, PublishOperation operation) => _proofs.TryRemove((TraitOf(operation), bucket), out _);

    /// <returns>Whether this is the first operation of the bucket that doesn't honor the condition.</returns>
    private bool LearnConditions(string bucket, PublishOperation operation, StoreSupport support, string reason)
        => Learn(TraitOf(operation), bucket, support, reason) & Learn(StoreTrait.AnyCondition, bucket, StoreSupport.Ignored);

    private Fact? Find(StoreTrait trait, string scope) => _facts.TryGetValue((trait, scope), out Fact? fact) && IsRecent(fact) ? fact : null;

    private bool IsRecent(Fact fact) => time.GetElapsedTime(fact.At) < MemoryTime;

    private static StoreTrait TraitOf(PublishOperation operation) => operation switch
    {
        PublishOperation.Put => StoreTrait.PutCondition,
        PublishOperation.Complete => StoreTrait.CompleteCondition,
        _ => StoreTrait.CopyCondition,
    };

    private static StoreTrait? TraitOf(ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => StoreTrait.Crc64Nvme,
        ChecksumAlgorithm.Crc32C => StoreTrait.Crc32C,
        _ => null,
    };

    private sealed record Fact(StoreSupport Support, string Reason, long At);
}
