using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>
/// The hidden names of files that transfers keep beside a file while they write it. Only this class creates and recognizes them. Files with such a name aren't content: no
/// transfer of a directory reads them. A synchronization deletes those at its target that nobody uses.
/// </summary>
internal static class HiddenFileName
{
    private const string File = ".transfer";
    private const string Journal = ".transfer-journal";
    private const int MaxNameBytes = 255;
    private const int MinIdLength = 12;
    private const int MaxIdLength = 32;

    /// <summary>Creates the name of an incomplete file that a later run can't find.</summary>
    /// <param name="name">The final name; empty if there is none.</param>
    public static string Create(string name) => OfFile(name, Guid.NewGuid().ToString("N")[..MinIdLength]);

    /// <summary>Gets the name of an incomplete file.</summary>
    /// <param name="name">The final name. It is omitted if the result would exceed the limit of the file system.</param>
    /// <param name="id">An ID of 12 to 16 lowercase hexadecimal digits, which distinguishes files with the same final name.</param>
    public static string OfFile(string name, string id) => Hide(name, id, File);

    /// <summary>Gets the name of the journal of an incomplete file.</summary>
    /// <param name="name">The final name of the file. It is omitted if the result would exceed the limit of the file system.</param>
    /// <param name="id">An ID of 12 to 16 lowercase hexadecimal digits, which distinguishes files with the same final name.</param>
    public static string OfJournal(string name, string id) => Hide(name, id, Journal);

    /// <summary>Returns whether a name has the form that only transfers create.</summary>
    /// <param name="name">The name, without a path.</param>
    public static bool IsMatch(ReadOnlySpan<char> name)
    {
        ReadOnlySpan<char> start = name.EndsWith(File, StringComparison.Ordinal) ? name[..^File.Length]
            : name.EndsWith(Journal, StringComparison.Ordinal) ? name[..^Journal.Length]
            : [];
        return start.StartsWith('.') && IsId(start[(start.LastIndexOf('.') + 1)..]);
    }

    /// <summary>Gets the final name of a file from the hidden one that it has while it is written.</summary>
    /// <returns>Null if it isn't such a name, or doesn't contain the final one.</returns>
    public static string? FindName(string hidden)
    {
        int id = hidden.EndsWith(File, StringComparison.Ordinal) ? hidden.LastIndexOf('.', hidden.Length - File.Length - 1) : -1;
        return id > 1 && IsMatch(hidden) ? hidden[1..id] : null;
    }

    /// <summary>Deletes a file with such a name, unless a transfer uses it.</summary>
    /// <returns>False if it is in use, or isn't a file that this user's transfers have left.</returns>
    public static bool TryDelete(LocalFolder folder, string name)
    {
        // Whoever resumes a file holds the lock of its journal. Others hold that of the file itself.
        string journal = name.EndsWith(File, StringComparison.Ordinal) ? name[..^File.Length] + Journal : name;
        using SafeFileHandle? resuming = Path.Exists(folder.GetPath(journal)) ? PrivateFile.TryOpen(folder, journal, create: false, locked: true) : null;
        if (journal == name)
        {
            return resuming is not null && Delete();
        }

        // A process that was killed before it renamed a complete file has already given it its final permissions.
        using SafeFileHandle? file = resuming is null && Path.Exists(folder.GetPath(journal)) ? null : PrivateFile.TryOpen(folder, name, create: false, locked: true, canBeShared: true);
        return file is not null && Delete();

        bool Delete()
        {
            System.IO.File.Delete(folder.GetPath(name));
            return true;
        }
    }

    private static bool IsId(ReadOnlySpan<char> text)
    {
        if (text.Length is < MinIdLength or > MaxIdLength)
        {
            return false;
        }

        foreach (char digit in text)
        {
            if (!char.IsAsciiHexDigitLower(digit))
            {
                return false;
            }
        }

        return true;
    }

    private static string Hide(string name, string id, string suffix) => $".{(Encoding.UTF8.GetByteCount(name) > MaxNameBytes - 40 ? string.Empty : name)}.{id}{suffix}";
}
