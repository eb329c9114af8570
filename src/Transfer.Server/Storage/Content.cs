using System.Diagnostics;

namespace Transfer.S3.Server.Storage;

/// <summary>
/// The bytes of an object or a part: an ordered list of blob slices. Joining parts and copying objects creates new lists and copies no data.
/// </summary>
/// <remarks>
/// It holds a reference to each blob as long as it has holders itself: the catalog and each request that reads it. A request can therefore finish
/// reading content that was deleted or replaced in the meantime.
/// </remarks>
internal sealed class Content
{
    private readonly BlobSlice[] _slices;
    private readonly long[] _starts;
    private int _holders = 1;

    private Content(BlobSlice[] slices)
    {
        _slices = slices;
        _starts = new long[slices.Length];
        long length = 0;
        for (int i = 0; i < slices.Length; i++)
        {
            _starts[i] = length;
            length += slices[i].Length;
        }

        Length = length;
    }

    public long Length { get; }

    public IReadOnlyList<BlobSlice> Slices => _slices;

    public bool KeepsBytes => Array.TrueForAll(_slices, static slice => slice.Blob.KeepsBytes);

    /// <summary>Takes over the caller's reference to the blob.</summary>
    public static Content Adopt(IBlob blob) => new([new BlobSlice(blob, 0, blob.Length)]);

    /// <summary>Takes over a reference to the blob of each slice.</summary>
    public static Content Adopt(BlobSlice[] slices) => new(slices);

    /// <summary>Joins contents in their order. The caller must hold each of them.</summary>
    public static Content Join(IReadOnlyList<Content> contents) => Share([.. contents.SelectMany(static content => content._slices)]);

    /// <summary>Creates content from a range. The caller must hold this content.</summary>
    public Content Slice(long offset, long count)
    {
        var slices = new List<BlobSlice>();
        for (int i = IndexOf(offset); count > 0; i++)
        {
            BlobSlice slice = _slices[i];
            long skip = offset - _starts[i];
            long take = Math.Min(count, slice.Length - skip);
            slices.Add(new BlobSlice(slice.Blob, slice.Offset + skip, take));
            offset += take;
            count -= take;
        }

        return Share([.. slices]);
    }

    /// <summary>Adds a holder; false if the last one has released the content.</summary>
    public bool TryHold()
    {
        int holders = Volatile.Read(ref _holders);
        while (holders > 0)
        {
            int seen = Interlocked.CompareExchange(ref _holders, holders + 1, holders);
            if (seen == holders)
            {
                return true;
            }

            holders = seen;
        }

        return false;
    }

    public void Release()
    {
        int holders = Interlocked.Decrement(ref _holders);
        Debug.Assert(holders >= 0, "released more often than held");
        if (holders == 0)
        {
            foreach (BlobSlice slice in _slices)
            {
                slice.Blob.Release();
            }
        }
    }

    /// <summary>Opens a reader for a range. The caller must hold this content until it has disposed the reader.</summary>
    public ContentReader OpenReader(long offset, long count) => new(this, offset, count);

    /// <summary>Gets the slice that contains the byte at an offset, and the offset of that slice.</summary>
    internal (BlobSlice Slice, long Start) At(long offset)
    {
        int index = IndexOf(offset);
        return (_slices[index], _starts[index]);
    }

    private static Content Share(BlobSlice[] slices)
    {
        foreach (BlobSlice slice in slices)
        {
            slice.Blob.AddReference();
        }

        return new Content(slices);
    }

    private int IndexOf(long offset)
    {
        int index = Array.BinarySearch(_starts, offset);
        index = index < 0 ? ~index - 1 : index;
        while (index < _slices.Length - 1 && offset >= _starts[index] + _slices[index].Length)
        {
            index++; // skips empty slices, which have the same offset as the next slice
        }

        return index;
    }
}
