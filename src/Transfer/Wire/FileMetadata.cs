using System.Globalization;

namespace Transfer.S3.Wire;

/// <summary>
/// The permissions and the owner of a file in the metadata of its object, in the format of rclone: <c>mode</c>, the type and the mode in octal digits, and <c>uid</c> and
/// <c>gid</c>, numbers (rclone, "Local Filesystem", metadata).
/// </summary>
internal static class FileMetadata
{
    private const string ModeName = "mode";
    private const string UserName = "uid";
    private const string GroupName = "gid";

    /// <summary>The permissions that are restored. Whoever can write the object must not be able to give a file the rights of its owner.</summary>
    private const int Restored = 0x1FF;

    private const int AllBits = 0xFFF;
    private const int RegularFile = 0x8000;

    /// <summary>Adds the permissions, unless the metadata already has some.</summary>
    public static void AddMode(Dictionary<string, string> metadata, int mode) => metadata.TryAdd(ModeName, Convert.ToString(mode, toBase: 8));

    /// <summary>Adds the owner, unless the metadata already has one.</summary>
    public static void AddOwner(Dictionary<string, string> metadata, uint user, uint group)
    {
        metadata.TryAdd(UserName, user.ToString(CultureInfo.InvariantCulture));
        metadata.TryAdd(GroupName, group.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Gets the permissions; null if there are none, or if they are those of something other than a file.</summary>
    public static UnixFileMode? GetMode(ObjectInfo info)
    {
        if (!info.Metadata.TryGetValue(ModeName, out string? text) || !OctalText.TryParse(text, out int bits))
        {
            return null;
        }

        // Other programs store the mode without the type.
        return (bits & ~AllBits) is 0 or RegularFile ? (UnixFileMode)(bits & Restored) : null;
    }

    /// <summary>Gets the owner; null if there is none.</summary>
    public static (uint User, uint Group)? GetOwner(ObjectInfo info)
        => GetId(info, UserName) is { } user && GetId(info, GroupName) is { } group ? (user, group) : null;

    // The highest ID means that the owner stays the same (chown(2)).
    private static uint? GetId(ObjectInfo info, string name)
        => info.Metadata.TryGetValue(name, out string? text) && uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out uint id) && id != uint.MaxValue ? id : null;
}
