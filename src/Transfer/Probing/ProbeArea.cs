using System.Buffers;
using System.Net;
using System.Text;
using Transfer.S3.Buffers;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>A prefix of its own for the objects and uploads of a probe. It remembers all of them, and removes them.</summary>
/// <param name="run">The call that the requests belong to.</param>
/// <param name="bucket">The bucket.</param>
/// <param name="prefix">The prefix, which no other program uses.</param>
internal sealed class ProbeArea(TransferRun run, string bucket, string prefix)
{
    /// <summary>An ETag that no object has.</summary>
    public const string OtherETag = "\"00000000000000000000000000000000\"";

    /// <summary>The content of small objects: ten bytes.</summary>
    public static readonly byte[] Content = Encoding.ASCII.GetBytes("0123456789");

    private const int BlockBytes = 64 * 1024;
    private static readonly byte[] Block = new byte[BlockBytes];
    private readonly HashSet<string> _keys = [];
    private readonly List<(ObjectAddress Address, string UploadId)> _uploads = [];
    private bool _hasVersions;

    public string Bucket => bucket;

    public string Prefix => prefix;

    public StoreProfile Profile => run.Client.Profile;

    /// <summary>Gets or sets the checksum algorithm that the store has accepted; None before one was.</summary>
    public ChecksumAlgorithm Algorithm { get; set; } = ChecksumAlgorithm.None;

    /// <summary>Gets the wire that sends the requests.</summary>
    private ObservedWire Wire => run.Client.Wire;

    /// <summary>Gets the address of an object of this probe, which is removed at the end.</summary>
    public ObjectAddress At(string name)
    {
        _keys.Add(prefix + name);
        return new ObjectAddress(bucket, prefix + name);
    }

    /// <summary>Creates a body of zeros.</summary>
    public static ReadOnlySequence<byte> Zeros(long length)
    {
        BlockSegment first = new(Block.AsMemory(0, (int)Math.Min(BlockBytes, length)), 0);
        BlockSegment last = first;
        for (long left = length - first.Memory.Length; left > 0; left -= last.Memory.Length)
        {
            last = last.Append(Block.AsMemory(0, (int)Math.Min(BlockBytes, left)));
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    /// <summary>Computes a checksum as S3 uses it.</summary>
    public static string? ComputeChecksum(ReadOnlySequence<byte> content, ChecksumAlgorithm algorithm)
    {
        using PartChecksum sum = new(algorithm);
        foreach (ReadOnlyMemory<byte> piece in content)
        {
            sum.Append(piece.Span);
        }

        return sum.ToBase64();
    }

    /// <summary>Publishes a small object.</summary>
    /// <param name="name">The name.</param>
    /// <param name="condition">The condition, if any.</param>
    /// <param name="headers">The headers, if any.</param>
    /// <param name="algorithm">The algorithm of <paramref name="checksum"/>.</param>
    /// <param name="checksum">The checksum to send, which can be a wrong one; null for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<PublishedObject> PutAsync(
        string name,
        WriteCondition condition = default,
        ObjectHeaders? headers = null,
        ChecksumAlgorithm algorithm = ChecksumAlgorithm.None,
        string? checksum = null,
        CancellationToken cancellationToken = default)
    {
        NewObject target = new(At(name), algorithm, condition, headers ?? new ObjectHeaders());
        RequestBody body = new(new SequenceBytes(new ReadOnlySequence<byte>(Content)), checksum);
        return Note(await SendAsync((wire, token) => wire.PutObjectAsync(target, body, token), cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Creates an upload, which is aborted at the end unless it was completed.</summary>
    public async Task<ProbeUpload> CreateUploadAsync(string name, ChecksumAlgorithm algorithm, CancellationToken cancellationToken)
    {
        NewObject target = new(At(name), algorithm, default, new ObjectHeaders());
        string id = await SendAsync((wire, token) => wire.CreateMultipartUploadAsync(target, token), cancellationToken).ConfigureAwait(false);
        _uploads.Add((target.Address, id));
        return new ProbeUpload(this, target, id);
    }

    /// <summary>Forgets an upload that was completed.</summary>
    public PublishedObject Completed(string uploadId, PublishedObject published)
    {
        _uploads.RemoveAll(upload => upload.UploadId == uploadId);
        return Note(published);
    }

    /// <summary>Remembers whether the bucket keeps versions.</summary>
    public PublishedObject Note(PublishedObject published)
    {
        _hasVersions |= published.VersionId is not null;
        return published;
    }

    /// <summary>Returns whether an object exists.</summary>
    public async Task<bool> ExistsAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await SendAsync((wire, token) => wire.HeadAsync(At(name), token), cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (WireException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return false;
        }
    }

    /// <summary>Sends a request.</summary>
    public Task<T> SendAsync<T>(Func<IObjectWire, CancellationToken, Task<T>> call, CancellationToken cancellationToken)
        => run.SendAsync(token => call(Wire, token), cancellationToken);

    /// <summary>Sends a request that has no result.</summary>
    public Task SendAsync(Func<IObjectWire, CancellationToken, Task> call, CancellationToken cancellationToken) => run.SendAsync(
        async token =>
        {
            await call(Wire, token).ConfigureAwait(false);
            return true;
        },
        cancellationToken);

    /// <summary>Awaits requests, and returns their error; null if they succeeded.</summary>
    public static async Task<WireException?> ErrorOfAsync(Task requests)
    {
        try
        {
            await requests.ConfigureAwait(false);
            return null;
        }
        catch (WireException e)
        {
            return e;
        }
    }

    /// <summary>Removes all objects and uploads, even if the caller's token is canceled.</summary>
    /// <returns>The keys of those that could not be removed.</returns>
    public async Task<IReadOnlyList<string>> RemoveAsync()
    {
        List<string> left = [];
        foreach ((ObjectAddress address, string uploadId) in _uploads)
        {
            if (await MultipartAbort.RunAsync(run, address, uploadId).ConfigureAwait(false) is not null)
            {
                left.Add(address.Key);
            }
        }

        using CleanupCalls calls = new(run);
        List<string> notDeleted = [];
        foreach (string key in _keys)
        {
            if (!await TryDeleteAsync(new ObjectAddress(bucket, key), calls).ConfigureAwait(false))
            {
                notDeleted.Add(key);
            }
        }

        if (_hasVersions && !await TryDeleteVersionsAsync(calls).ConfigureAwait(false))
        {
            left.Add(prefix);
        }

        // A key that the store refuses can't be deleted either, so the listing tells what is left.
        left.AddRange(notDeleted.Count == 0 ? [] : await TryListAsync(calls).ConfigureAwait(false) ?? notDeleted);
        return [.. left.Distinct()];
    }

    private async Task<IReadOnlyList<string>?> TryListAsync(CleanupCalls calls)
    {
        try
        {
            ListQuery query = new(bucket, prefix, ReadAccess.Plain);
            Page<ListedObject> page = await calls.SendAsync(token => Wire.ListAsync(query, null, token)).ConfigureAwait(false);
            return [.. page.Items.Select(static item => item.Key)];
        }
        catch (Exception e) when (e is WireException or OperationCanceledException)
        {
            return null;
        }
    }

    private async Task<bool> TryDeleteAsync(ObjectAddress address, CleanupCalls calls)
    {
        try
        {
            DeletedObject deleted = await calls.SendAsync(token => Wire.DeleteObjectAsync(address, ifMatch: null, token)).ConfigureAwait(false);
            _hasVersions |= deleted.VersionId is not null;
            return true;
        }
        catch (Exception e) when (e is WireException or OperationCanceledException)
        {
            return (e as WireException)?.StatusCode == HttpStatusCode.NotFound;
        }
    }

    /// <summary>Deletes the versions and delete markers that the other deletions have left in a bucket that keeps them.</summary>
    private async Task<bool> TryDeleteVersionsAsync(CleanupCalls calls)
    {
        bool all = true;
        PageEnd? after = null;
        do
        {
            Page<ListedObject> page;
            try
            {
                ListQuery query = new(bucket, prefix, ReadAccess.Plain) { Versions = true };
                page = await calls.SendAsync(token => Wire.ListAsync(query, after, token)).ConfigureAwait(false);
            }
            catch (Exception e) when (e is WireException or OperationCanceledException)
            {
                return false;
            }

            foreach (ListedObject version in page.Items)
            {
                all &= await TryDeleteAsync(new ObjectAddress(bucket, version.Key, version.VersionId), calls).ConfigureAwait(false);
            }

            after = page.Next;
        }
        while (after is not null);
        return all;
    }

    private sealed class BlockSegment : ReadOnlySequenceSegment<byte>
    {
        public BlockSegment(ReadOnlyMemory<byte> memory, long index) => (Memory, RunningIndex) = (memory, index);

        public BlockSegment Append(ReadOnlyMemory<byte> memory)
        {
            BlockSegment next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
