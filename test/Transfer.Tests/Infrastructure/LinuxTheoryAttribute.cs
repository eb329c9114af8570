namespace Transfer.S3.Tests.Infrastructure;

/// <summary>A theory that runs only on Linux.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LinuxTheoryAttribute : TheoryAttribute
{
    public LinuxTheoryAttribute()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip = "Requires Linux.";
        }
    }
}
