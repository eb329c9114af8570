namespace Transfer.Scheduling;

/// <summary>Tells whether the state directory has any upload journal, so that small objects needn't each look for one of their own.</summary>
/// <param name="path">The state directory; null if there is none.</param>
/// <param name="time">The clock.</param>
internal sealed class JournalPresence(string? path, TimeProvider time)
{
    /// <summary>The prefix of the names of upload journals.</summary>
    public const string Prefix = "upload-";

    /// <summary>How long an answer is used. A journal that another process creates meanwhile belongs to an upload that has just begun.</summary>
    private static readonly TimeSpan Validity = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private long _lookedAt;
    private int _created;
    private bool _isKnownEmpty;

    /// <summary>Returns <see langword="false"/> if there was no journal within the last second.</summary>
    public bool MayHaveAny()
    {
        if (path is null)
        {
            return false;
        }

        int created;
        lock (_gate)
        {
            if (_isKnownEmpty && time.GetElapsedTime(_lookedAt) < Validity)
            {
                return false;
            }

            created = _created;
        }

        long now = time.GetTimestamp();
        bool isEmpty = IsEmpty(path);
        lock (_gate)
        {
            _isKnownEmpty = isEmpty && created == _created;
            _lookedAt = now;
        }

        return !isEmpty;
    }

    /// <summary>Forgets the answer, because this client has created a journal.</summary>
    public void Created()
    {
        lock (_gate)
        {
            _created++;
            _isKnownEmpty = false;
        }
    }

    private static bool IsEmpty(string path)
    {
        try
        {
            return !Directory.EnumerateFiles(path, Prefix + "*").Any();
        }
        catch (DirectoryNotFoundException)
        {
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false; // the look for one journal tells what is wrong
        }
    }
}
