namespace Transfer.S3.Testing;

/// <summary>A test that runs only on Linux, and as root, which alone can change the owners of files.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RootFactAttribute : FactAttribute
{
    public RootFactAttribute()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
        {
            Skip = "Requires Linux, and root.";
        }
    }
}
