using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Amazon.Runtime;
using Microsoft.Extensions.Logging;

namespace Transfer.S3.Stores;

/// <summary>What a client has learned about its store, so that what isn't supported isn't tried for every object. All transfers of a client share it.</summary>
/// <remarks>
/// Scope: what a policy, a permission, or the version of one cluster can decide is known for a bucket. What only the software of the store decides is known for all
/// buckets (<see cref="EveryBucket"/>), or for the address of the store if a request can be redirected to another one.
/// Expiry: everything is forgotten after <see cref="MemoryTime"/>, or later if requests were made to find it out (<see cref="Teach"/>), because stores are upgraded and permissions are granted. The first thing that was learned
/// counts until then, except that <see cref="Disprove"/> replaces it. What is known from the endpoint is never forgotten.
/// Log: something that isn't supported is logged once. What is learned again isn't logged again.
/// </remarks>
internal sealed class StoreProfile(TimeProvider time, ILogger logger)
{
    /// <summary>The time for which something is known.</summary>
    public static readonly TimeSpan MemoryTime = TimeSpan.FromMinutes(5);

    /// <summary>The longest wait for a check in progress. That of a small object takes three requests. It can be that of a large object, or of a transfer that is paused.</summary>
    public static readonly TimeSpan MostWaitForProof = TimeSpan.FromSeconds(2);

    /// <summary>The scope of what is known for all buckets.</summary>
    public const string EveryBucket = "";

    /// <summary>The header that requests a checksum.</summary>
    public const string ChecksumModeHeader = "x-amz-checksum-mode";

    private const int MaxFacts = 4_000;
    private static readonly ChecksumAlgorithm[] BestFirst = [ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.ContentMd5];
    private readonly ConcurrentDictionary<(StoreTrait Trait, string Scope), Fact> _facts = new();
    private readonly ConcurrentDictionary<(StoreTrait Trait, string Bucket), Proof> _proofs = new();

    /// <summary>Gets a value that indicates whether the client is configured to send none of the newer algorithms, because no operation requires them.</summary>
    public bool SendsOnlyRequiredChecksums { get; init; }

    /// <summary>Gets a value that indicates whether the client is configured to request checksums.</summary>
    public bool RequestsChecksums { get; init; } = true;

    /// <summary>
    /// Gets the checksum algorithm of uploads if none is specified: the best one that the store has not refused. A store without S3's newer algorithms still supports
    /// Content-MD5.
    /// </summary>
    public ChecksumAlgorithm Checksum
    {
        get
        {
            int at = SendsOnlyRequiredChecksums ? BestFirst.Length - 1 : 0;
            while (GetTrait(BestFirst[at]) is { } trait && GetSupport(trait, EveryBucket) == StoreSupport.Refused)
            {
                at++;
            }

            return BestFirst[at];
        }
    }

    /// <summary>Gets the reason why a response without a checksum was not asked for one.</summary>
    public string ChecksumNotRequested => RequestsChecksums
        ? $"the store rejects the header that requests a checksum ({ChecksumModeHeader})"
        : "the store was not asked for a checksum, because ResponseChecksumValidation is WHEN_REQUIRED";

    /// <summary>Gets the error that shows that the store doesn't implement GetObjectAttributes; null if there was none.</summary>
    public string? NoAttributes => Find(StoreTrait.Attributes, EveryBucket)?.Reason;

    /// <summary>Gets the store that is recognized by its endpoint; null if it isn't known.</summary>
    public KnownStore? KnownStore { get; private init; }

    /// <summary>Gets what was learned and isn't forgotten yet.</summary>
    public IReadOnlyList<StoreFact> Facts
    {
        get
        {
            List<StoreFact> facts = [];
            foreach (((StoreTrait trait, string scope), Fact fact) in _facts)
            {
                if (IsKnown(fact) && fact.At is { } at)
                {
                    facts.Add(new StoreFact(trait, scope, fact.Support, fact.Reason, fact.Lifetime - time.GetElapsedTime(at)));
                }
            }

            return facts;
        }
    }

    /// <summary>Creates the profile of a client, with what its configuration tells.</summary>
    public static StoreProfile Create(IClientConfig? config, TimeProvider time, ILogger logger)
    {
        StoreProfile profile = new(time, logger)
        {
            SendsOnlyRequiredChecksums = config?.RequestChecksumCalculation == RequestChecksumCalculation.WHEN_REQUIRED,
            RequestsChecksums = config?.ResponseChecksumValidation != ResponseChecksumValidation.WHEN_REQUIRED,
            KnownStore = KnownStore.Find(config),
        };
        if (profile.KnownStore is { RequiresEqualParts: true, Name: { } name })
        {
            profile.Replace(StoreTrait.UnequalParts, EveryBucket, null, new Fact(StoreSupport.Refused, $"the endpoint is {name}", null, StoreSupport.Unknown, MemoryTime));
        }

        return profile;
    }

    /// <summary>Gets the algorithm to try after one was refused; null if there is none.</summary>
    public static ChecksumAlgorithm? After(ChecksumAlgorithm refused)
        => Array.IndexOf(BestFirst, refused) is >= 0 and int at && at + 1 < BestFirst.Length ? BestFirst[at + 1] : null;

    public StoreSupport GetSupport(StoreTrait trait, string scope) => Find(trait, scope)?.Support ?? (IsKnownToHonor(trait, scope) ? StoreSupport.Supported : StoreSupport.Unknown);

    /// <summary>Learns whether a store supports something, unless that is known.</summary>
    /// <param name="trait">What it supports or doesn't support.</param>
    /// <param name="scope">The bucket, the address of the store, or <see cref="EveryBucket"/>.</param>
    /// <param name="support">Whether it does.</param>
    /// <param name="reason">The error or the observation that shows it, if any.</param>
    public void Learn(StoreTrait trait, string scope, StoreSupport support, string reason = "")
    {
        Fact? before = _facts.GetValueOrDefault((trait, scope));
        if (!IsKnown(before))
        {
            Replace(trait, scope, before, NewFact(support, reason, before));
        }
    }

    /// <summary>Replaces what is known by what requests made for this purpose showed. What is known from the endpoint remains. It is no news, so it isn't logged.</summary>
    /// <param name="fact">What is known now, and for how long.</param>
    public void Teach(StoreFact fact)
    {
        Fact? before;
        do
        {
            before = _facts.GetValueOrDefault((fact.Trait, fact.Scope));
        }
        while (before is not { At: null }
            && !Replace(fact.Trait, fact.Scope, before, new Fact(fact.Support, fact.Reason, time.GetTimestamp(), fact.Support, fact.Left)));
    }

    /// <summary>Counts an observation that alone proves nothing. Something is learned after several of them.</summary>
    public void Observe(StoreTrait trait, string scope, int needed, StoreSupport support, string reason = "")
    {
        Fact? fact = _facts.GetValueOrDefault((trait, scope));
        while (fact is null || !IsRecent(fact))
        {
            Replace(trait, scope, fact, NewFact(StoreSupport.Unknown, string.Empty, fact));
            fact = _facts.GetValueOrDefault((trait, scope));
        }

        if (fact.Support == StoreSupport.Unknown && Interlocked.Increment(ref fact.Count) >= needed)
        {
            Learn(trait, scope, support, reason);
        }
    }

    /// <summary>Learns from a counterexample that something can't be relied on, whatever was known before.</summary>
    public void Disprove(StoreTrait trait, string scope, string reason)
    {
        Fact? before;
        do
        {
            before = _facts.GetValueOrDefault((trait, scope));
        }
        while (!(IsKnown(before) && before.Support == StoreSupport.Ignored)
            && !Replace(trait, scope, before, NewFact(StoreSupport.Ignored, reason, before)));
    }

    /// <summary>Forgets what was learned, and all observations.</summary>
    public void Forget(StoreTrait trait, string scope)
    {
        if (_facts.TryGetValue((trait, scope), out Fact? before))
        {
            Replace(trait, scope, before, NewFact(StoreSupport.Unknown, string.Empty, before));
        }
    }

    /// <summary>Returns whether to do without something that isn't supported. After the given number of times, it is tried once on behalf of the next ones.</summary>
    public bool TrySkip(StoreTrait trait, string scope, int times)
        => Find(trait, scope) is { Support: StoreSupport.Ignored or StoreSupport.Refused } fact && Interlocked.Increment(ref fact.Count) % (times + 1) != 0;

    /// <summary>Returns whether another call than GetObjectAttributes is preferred for the objects of a bucket.</summary>
    public bool RefusesAttributes(string bucket) => NoAttributes is not null || GetSupport(StoreTrait.Attributes, bucket) == StoreSupport.Refused;

    /// <summary>Learns that the store accepted a checksum algorithm after it had refused the better ones.</summary>
    public void LearnChecksum(ChecksumAlgorithm accepted, string refusal)
    {
        foreach (ChecksumAlgorithm better in BestFirst.AsSpan(0, Math.Max(0, Array.IndexOf(BestFirst, accepted))))
        {
            Learn(GetTrait(better)!.Value, EveryBucket, StoreSupport.Refused, refusal);
        }
    }

    /// <summary>Learns how a bucket handles If-None-Match of one operation.</summary>
    public void LearnCondition(StoreTrait operation, string bucket, StoreSupport support, string reason = "")
    {
        Learn(operation, bucket, support, reason);
        if (support != StoreSupport.Supported)
        {
            Learn(StoreTrait.AnyCondition, bucket, support, reason);
        }
    }

    /// <summary>Begins a check of something, if its support isn't known and no other check is in progress.</summary>
    public bool TryBeginProof(StoreTrait trait, string bucket)
        => GetSupport(trait, bucket) == StoreSupport.Unknown && _proofs.GetOrAdd((trait, bucket), static _ => new Proof()).TryBegin();

    /// <summary>Ends a check, with or without a result.</summary>
    public void EndProof(StoreTrait trait, string bucket)
    {
        if (_proofs.TryGetValue((trait, bucket), out Proof? proof))
        {
            proof.End();
            if (GetSupport(trait, bucket) != StoreSupport.Unknown)
            {
                _proofs.TryRemove((trait, bucket), out _); // it is waited for again after this was forgotten
            }
        }
    }

    /// <summary>
    /// Waits for the check that is in progress, if it is the first one and ends soon, so that what it finds out doesn't have to be looked up. After a check without a result,
    /// nobody waits for the next one.
    /// </summary>
    public Task WhenProvenAsync(StoreTrait trait, string bucket, CancellationToken cancellationToken)
        => _proofs.TryGetValue((trait, bucket), out Proof? proof) ? proof.WhenFirstEndedAsync(time, cancellationToken) : Task.CompletedTask;

    // A name that is an ARN can be that of another service, such as S3 on Outposts.
    private bool IsKnownToHonor(StoreTrait trait, string bucket) => KnownStore is { HonorsConditions: true }
        && trait is StoreTrait.PutCondition or StoreTrait.CompleteCondition or StoreTrait.PutMatch or StoreTrait.CompleteMatch or StoreTrait.DeleteMatch or StoreTrait.BatchDeleteMatch
        && !bucket.StartsWith("arn:", StringComparison.Ordinal);

    private Fact? Find(StoreTrait trait, string scope) => _facts.TryGetValue((trait, scope), out Fact? fact) && IsRecent(fact) ? fact : null;

    private bool IsRecent(Fact fact) => fact.At is not { } at || time.GetElapsedTime(at) < fact.Lifetime;

    private bool IsKnown([NotNullWhen(true)] Fact? fact) => fact is not null && fact.Support != StoreSupport.Unknown && IsRecent(fact);

    private Fact NewFact(StoreSupport support, string reason, Fact? before)
        => new(support, reason, time.GetTimestamp(), before?.LastKnown ?? StoreSupport.Unknown, MemoryTime);

    /// <returns>Whether the fact was still the one before.</returns>
    private bool Replace(StoreTrait trait, string scope, Fact? before, Fact fact)
    {
        if (_facts.Count >= MaxFacts)
        {
            foreach (KeyValuePair<(StoreTrait Trait, string Scope), Fact> learned in _facts.Where(static known => known.Value.At is not null))
            {
                _facts.TryRemove(learned);
            }

            before = null;
        }

        bool isReplaced = before is null ? _facts.TryAdd((trait, scope), fact) : _facts.TryUpdate((trait, scope), fact, before);
        if (isReplaced && fact.IsNews && Describe(trait) is var (level, name, consequence))
        {
            string where = scope.Length == 0 ? "The store" : scope.Contains("://", StringComparison.Ordinal) ? scope : $"s3://{scope}";
            Log.StoreTraitLearned(logger, level, where, name, fact.Support, fact.Reason, consequence);
        }

        return isReplaced;
    }

    private static StoreTrait? GetTrait(ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => StoreTrait.Crc64Nvme,
        ChecksumAlgorithm.Crc32C => StoreTrait.Crc32C,
        _ => null,
    };

    /// <summary>Gets the level of the message about a trait, its name, and the consequence if it isn't supported; null if there is no message.</summary>
    private static (LogLevel Level, string Name, string Consequence)? Describe(StoreTrait trait) => trait switch
    {
        StoreTrait.Attributes => (LogLevel.Information, "GetObjectAttributes", "HEAD requests are sent instead, which can't tell everything about objects in parts"),
        StoreTrait.AnyCondition => (
            LogLevel.Warning,
            "If-None-Match",
            "A HEAD request before each upload checks whether an object exists. An object that another writer creates between the two requests is replaced"),
        StoreTrait.AnyMatch => (LogLevel.Warning, "If-Match", "A target is looked up immediately before it is replaced. A change in between is lost"),
        StoreTrait.BatchDelete => (LogLevel.Information, "DeleteObjects", "Objects are deleted one at a time"),
        StoreTrait.Crc64Nvme => (LogLevel.Information, "CRC-64/NVME checksums", "Uploads use CRC-32C or Content-MD5"),
        StoreTrait.Crc32C => (LogLevel.Information, "CRC-32C checksums", "Uploads use Content-MD5"),
        StoreTrait.ChecksumMode => (LogLevel.Information, ChecksumModeHeader, "Requests are sent without this header, so some downloads can't be verified"),
        StoreTrait.UnsignedBodies => (LogLevel.Information, "unsigned bodies", "The SHA-256 of each body is computed and signed"),
        StoreTrait.UnequalParts => (LogLevel.Information, "parts of different sizes", "All parts of an upload except the last have the same size"),
        StoreTrait.Tags => (LogLevel.Warning, "tags", "No tags are copied"),
        StoreTrait.TagCount => (LogLevel.Information, "the number of tags in each response", "Copies request the tags of each object"),
        StoreTrait.ListV2 => (LogLevel.Information, "ListObjectsV2", "Objects are listed with ListObjects"),
        StoreTrait.SmallObjectChecksums => (LogLevel.Information, "checksums of small objects", "They are requested for few objects, so most small objects can't be verified"),
        _ => null, // conditions of single operations, and proofs
    };

    /// <summary>The checks of a trait, one after the other.</summary>
    private sealed class Proof
    {
        private readonly TaskCompletionSource _firstEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _isInProgress;

        public bool TryBegin() => Interlocked.Exchange(ref _isInProgress, 1) == 0;

        public void End()
        {
            Volatile.Write(ref _isInProgress, 0);
            _firstEnded.TrySetResult();
        }

        public async Task WhenFirstEndedAsync(TimeProvider time, CancellationToken cancellationToken)
        {
            try
            {
                await _firstEnded.Task.WaitAsync(MostWaitForProof, time, cancellationToken).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                // The caller looks up what it needs to know.
            }
        }
    }

    /// <param name="support">Whether the store supports it; unknown while there are only observations.</param>
    /// <param name="reason">The error or the observation that shows it.</param>
    /// <param name="at">The time at which it was learned; null for what is never forgotten.</param>
    /// <param name="former">What was known before.</param>
    /// <param name="lifetime">The time for which it is known.</param>
    private sealed class Fact(StoreSupport support, string reason, long? at, StoreSupport former, TimeSpan lifetime)
    {
        /// <summary>The number of observations, or of uses that were skipped.</summary>
        public int Count;

        public StoreSupport Support => support;

        public string Reason => reason;

        public long? At => at;

        public TimeSpan Lifetime => lifetime;

        /// <summary>Gets what is known, or was known before it was forgotten.</summary>
        public StoreSupport LastKnown => support == StoreSupport.Unknown ? former : support;

        /// <summary>Gets a value that indicates whether this isn't supported, and wasn't logged yet.</summary>
        public bool IsNews => support is StoreSupport.Ignored or StoreSupport.Refused && support != former;
    }
}
