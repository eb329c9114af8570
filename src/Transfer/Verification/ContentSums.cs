using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>The CRCs of the pages of an object that were fetched, and what they were compared with. All readers of the object share them.</summary>
/// <param name="length">The length of the object, in bytes.</param>
/// <param name="pageBytes">The number of bytes in a page.</param>
/// <remarks>
/// The CRCs of the pages in one MiB are combined when all of them are there. What remains of each page is a fingerprint, with which later copies of the page are compared.
/// With pages of 64 KiB, an object of 1 TiB needs about 200 MiB when all of it was fetched. The members are thread-safe.
/// </remarks>
internal sealed class ContentSums(long length, int pageBytes)
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<long, Cell> _cells = [];
    private readonly int _pagesPerCell = Math.Max(1, RangeChecksum.CutBytes / pageBytes);
    private long _bytes;
    private CrcSet.Kinds _kinds = CrcSet.Kinds.All;

    /// <summary>Gets the number of different bytes that were added.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    public bool IsComplete => Bytes == length;

    /// <summary>Gets the number of bytes between the positions at which CRCs can be compared.</summary>
    public long CellBytes => (long)_pagesPerCell * pageBytes;

    /// <summary>Gets or sets what the first response tells about the object; null until it has arrived.</summary>
    public ObjectHead? Head { get; set; }

    /// <summary>Gets or sets the verdict for the whole object; null until all of it was fetched and compared.</summary>
    public ChecksumVerdict? Whole { get; set; }

    /// <summary>Gets or sets the parts of the object that have checksums; null if they aren't known.</summary>
    public PartSums? Parts { get; set; }

    /// <summary>Gets or sets the error if the content doesn't match a checksum.</summary>
    public ChecksumMismatchException? Mismatch { get; set; }

    /// <summary>Stops computing all other CRCs, because it is known what the store holds. The CRC-64 remains for the fingerprints.</summary>
    public void Keep(CrcSet.Kinds kinds) => _kinds &= kinds | CrcSet.Kinds.Crc64Nvme;

    /// <summary>Adds a page. If it was added before, it is compared with the former copy.</summary>
    /// <param name="page">The number of the page.</param>
    /// <param name="data">The content.</param>
    /// <param name="isCellComplete">Whether the page is the last one of its cell to be added.</param>
    /// <returns>Whether the page is new, or the same as before.</returns>
    public bool TryAdd(long page, ReadOnlySpan<byte> data, out bool isCellComplete)
    {
        isCellComplete = false;
        CrcSet sum = new(_kinds);
        sum.Append(data);
        (long index, long within) = Math.DivRem(page, _pagesPerCell);
        lock (_gate)
        {
            if (!_cells.TryGetValue(index, out Cell? cell))
            {
                cell = new Cell { Pages = new CrcSet[(int)Math.Min(_pagesPerCell, PagesIn(length) - (index * _pagesPerCell))] };
                _cells.Add(index, cell);
            }

            if (cell.GetFingerprint(within) is { } before)
            {
                return before == sum.Fingerprint;
            }

            CrcSet[] pages = cell.Pages!;
            pages[within] = sum;
            _bytes += data.Length;
            if (++cell.Count == pages.Length)
            {
                CrcSet all = pages[0];
                for (int i = 1; i < pages.Length; i++)
                {
                    all = all.Then(pages[i]);
                }

                cell.Sum = all;
                cell.Fingerprints = Array.ConvertAll(pages, static one => one.Fingerprint);
                cell.Pages = null;
                isCellComplete = true;
            }

            return true;
        }
    }

    /// <summary>Gets the CRCs of the cell that begins at an offset; null if some of it wasn't fetched, or if no cell begins there.</summary>
    public CrcSet? GetCell(long offset)
    {
        (long index, long within) = Math.DivRem(offset, CellBytes);
        lock (_gate)
        {
            return within == 0 && _cells.TryGetValue(index, out Cell? cell) && cell.Pages is null ? cell.Sum : null;
        }
    }

    /// <summary>Appends the CRCs of the whole object, which was fetched completely.</summary>
    public void AppendTo(RangeChecksum whole)
    {
        lock (_gate)
        {
            foreach (Cell cell in _cells.Values)
            {
                whole.Append(cell.Sum);
            }
        }
    }

    private long PagesIn(long bytes) => (bytes + pageBytes - 1) / pageBytes;

    private sealed class Cell
    {
        public CrcSet Sum { get; set; }

        /// <summary>Gets or sets the pages; null when all of them are there.</summary>
        public CrcSet[]? Pages { get; set; }

        public uint[]? Fingerprints { get; set; }

        public int Count { get; set; }

        public uint? GetFingerprint(long page) => Fingerprints is { } all ? all[page] : Pages![page] is { Length: > 0 } one ? one.Fingerprint : null;
    }
}
