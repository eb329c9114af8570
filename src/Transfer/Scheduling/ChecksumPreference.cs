namespace Transfer.Scheduling;

/// <summary>
/// The checksum algorithm of a client's uploads if none is specified: the best algorithm that the store has not refused. A store without S3's newer algorithms
/// still supports Content-MD5.
/// </summary>
/// <param name="onlyRequired">Whether the client is configured to send none of the newer algorithms, because no operation requires them.</param>
internal sealed class ChecksumPreference(bool onlyRequired = false)
{
    private static readonly ChecksumAlgorithm[] BestFirst = [ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Md5];
    private int _current = onlyRequired ? BestFirst.Length - 1 : 0;

    public ChecksumAlgorithm Current => BestFirst[Volatile.Read(ref _current)];

    /// <summary>Gets the algorithm to try after one was refused; null if there is none.</summary>
    public static ChecksumAlgorithm? After(ChecksumAlgorithm refused)
        => Array.IndexOf(BestFirst, refused) is >= 0 and int at && at + 1 < BestFirst.Length ? BestFirst[at + 1] : null;

    /// <summary>Remembers that the store accepted an algorithm after it had refused the better ones.</summary>
    /// <returns><c>true</c> if this wasn't known before; otherwise, <c>false</c>.</returns>
    public bool Settle(ChecksumAlgorithm accepted)
    {
        int at = Array.IndexOf(BestFirst, accepted);
        int known = Volatile.Read(ref _current);
        return at > known && Interlocked.CompareExchange(ref _current, at, known) == known;
    }
}
