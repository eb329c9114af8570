using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Transfer.S3.Trees;

/// <summary>
/// Determines which keys can be files under a directory. A key that could leave the directory on any system, or that could mislead a reader, is rejected on every
/// system, so that the same files are created everywhere. Special names, which only Unix systems can have, are accepted on request. Names are never changed, so that two keys can't become the same file, and the name of a file shows its
/// key.
/// </summary>
internal static class KeyPath
{
    /// <summary>The maximum length of a name in file systems, in bytes (POSIX NAME_MAX).</summary>
    private const int MaxNameBytes = 255;

    private static readonly SearchValues<char> NotOnWindows = SearchValues.Create("<>:\"|?*");

    // Naming Files, Paths, and Namespaces (Win32 documentation).
    private static readonly string[] WindowsDevices =
    [
        "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
        "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
    ];

    /// <summary>Gets the directory and the name for a key.</summary>
    /// <param name="relativeKey">The key after the prefix; not empty. A key that ends in a slash represents a directory.</param>
    /// <param name="isWindows">Whether the names must be valid on Windows too.</param>
    /// <param name="allowsSpecial">Whether backslashes, control characters, and drive letters are accepted, which mean nothing on Unix. Windows never accepts them.</param>
    /// <param name="path">The path of the directory, with slashes, and the name of the file, which is empty for a directory.</param>
    /// <param name="reason">The reason why the key can't be a file.</param>
    public static bool TrySplit(string relativeKey, bool isWindows, bool allowsSpecial, out (string Folder, string Name) path, [NotNullWhen(false)] out string? reason)
    {
        ReadOnlySpan<char> key = relativeKey;
        path = default;
        reason = !allowsSpecial || isWindows ? WhatIsSpecial(key) : key.Contains('\0') ? "it contains a null character" : null;
        reason ??= !IsUnicode(key) ? "it contains half of a surrogate pair, which is not a valid character"
            : null;
        if (reason is not null)
        {
            return false;
        }

        ReadOnlySpan<char> names = key[^1] == '/' ? key[..^1] : key;
        foreach (Range range in names.Split('/'))
        {
            reason = WhatIsWrong(names[range], isWindows);
            if (reason is not null)
            {
                return false;
            }
        }

        int end = relativeKey.LastIndexOf('/');
        path = end < 0 ? (string.Empty, relativeKey) : (relativeKey[..end], relativeKey[(end + 1)..]);
        return true;
    }

    /// <summary>Returns whether a key is rejected only because its name is special.</summary>
    public static bool IsOnlySpecial(string relativeKey)
        => !OperatingSystem.IsWindows() && WhatIsSpecial(relativeKey) is not null && TrySplit(relativeKey, isWindows: false, allowsSpecial: true, out _, out _);

    private static string? WhatIsSpecial(ReadOnlySpan<char> key)
        => key.Contains('\\') ? "it contains a backslash, which separates names on Windows"
            : key is [(>= 'a' and <= 'z') or (>= 'A' and <= 'Z'), ':', ..] ? "it begins with a drive letter of Windows"
            : HasControl(key) ? "it contains a control character"
            : null;

    private static bool HasControl(ReadOnlySpan<char> key) => key.IndexOfAnyInRange('\0', '\x1F') >= 0 || key.IndexOfAnyInRange('\x7F', '\x9F') >= 0;

    /// <summary>Returns whether all surrogates are in pairs. Other surrogates can't be distinguished from each other in the name of a file.</summary>
    private static bool IsUnicode(ReadOnlySpan<char> key)
    {
        while (key.IndexOfAnyInRange('\uD800', '\uDFFF') is >= 0 and int at)
        {
            if (Rune.DecodeFromUtf16(key[at..], out _, out int length) != OperationStatus.Done)
            {
                return false;
            }

            key = key[(at + length)..];
        }

        return true;
    }

    private static string? WhatIsWrong(ReadOnlySpan<char> name, bool isWindows)
        => name.IsEmpty ? "it contains an empty name"
            : name is "." or ".." ? $"it contains '{name}', which refers to another directory"
            : name.Length > MaxNameBytes / 3 && Encoding.UTF8.GetByteCount(name) > MaxNameBytes ? $"it contains a name of more than {MaxNameBytes} bytes"
            : isWindows ? WhatIsWrongOnWindows(name)
            : null;

    private static string? WhatIsWrongOnWindows(ReadOnlySpan<char> name)
    {
        if (name.ContainsAny(NotOnWindows))
        {
            return "it contains a character that Windows does not allow in names";
        }

        if (name[^1] is '.' or ' ')
        {
            return "it contains a name that ends in a dot or a space, which Windows removes";
        }

        int dot = name.IndexOf('.');
        string stem = (dot < 0 ? name : name[..dot]).TrimEnd().ToString();
        return WindowsDevices.Contains(stem, StringComparer.OrdinalIgnoreCase) ? $"'{stem}' is the name of a device on Windows" : null;
    }
}
