namespace Transfer.Scheduling;

/// <summary>
/// The checksum that a client's uploads carry where nobody has chosen one: the best that the store has not refused. A store that knows none of S3's own
/// still takes Content-MD5, which is older than they are.
/// </summary>
internal sealed class ChecksumPreference
{
    private static readonly ChecksumAlgorithm[] BestFirst = [ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Md5];
    private int _current;

    public ChecksumAlgorithm Current => BestFirst[Volatile.Read(ref _current)];

    /// <summary>What to try where one was refused; null where nothing is left.</summary>
    public static ChecksumAlgorithm? After(ChecksumAlgorithm refused)
        => Array.IndexOf(BestFirst, refused) is >= 0 and int at && at + 1 < BestFirst.Length ? BestFirst[at + 1] : null;

    /// <summary>Remembers that the store took one after it had refused those before it.</summary>
    /// <returns>Whether that is news.</returns>
    public bool Settle(ChecksumAlgorithm accepted)
    {
        int at = Array.IndexOf(BestFirst, accepted);
        int known = Volatile.Read(ref _current);
        return at > known && Interlocked.CompareExchange(ref _current, at, known) == known;
    }
}
