"""What the service sends, as dictionaries. All of them may gain keys."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, TypedDict

Output = Dict[str, Any]
Inputs = Dict[str, Any]
Overrides = Dict[str, Dict[str, Any]]


class NodeState(TypedDict):
    status: str
    output: Optional[Output]


class _RunExecution(TypedDict):
    status: str
    totalNodes: int
    completedNodes: int
    failedNodes: int
    totalCreditsUsed: float
    errorMessage: Optional[str]
    completedAt: Optional[str]


class RunExecution(_RunExecution, total=False):
    nodeStates: Dict[str, NodeState]
    errorCode: str


class Run(TypedDict):
    """A run of an app."""

    id: str
    executionId: Optional[str]
    status: str
    version: Optional[int]
    creditsUsed: float
    thumbnailUrl: Optional[str]
    archived: bool
    createdAt: str
    execution: RunExecution


class StartedRun(TypedDict):
    executionId: str
    runId: str
    status: str


class _Execution(TypedDict):
    id: str
    workflowId: Optional[str]
    trigger: str
    createdAt: str
    startedAt: Optional[str]
    status: str
    totalNodes: int
    completedNodes: int
    failedNodes: int
    totalCreditsUsed: float
    errorMessage: Optional[str]
    completedAt: Optional[str]


class Execution(_Execution, total=False):
    """A run of a workflow."""

    nodeStates: Dict[str, NodeState]
    errorCode: str


class Job(TypedDict):
    """One node of a run, or a node that was run by itself."""

    id: str
    execution_id: str
    node_id: str
    status: str
    progress: int
    job_type: str
    input_data: Dict[str, Any]
    output_data: Optional[Output]
    error_message: Optional[str]
    error_hint: Optional[str]
    credit_status: Optional[str]
    credits_charged: Optional[float]
    source: str
    session_id: Optional[str]
    created_at: str
    completed_at: Optional[str]


class JobState(TypedDict):
    id: str
    status: str
    progress: int
    output_data: Optional[Output]
    error_message: Optional[str]


class _App(TypedDict):
    id: str
    name: str
    description: str
    iconUrl: str
    version: int
    estimatedCredits: float
    maxRunsPerUserPerDay: Optional[int]
    thumbnailNodeId: Optional[str]
    snapshotNodes: List[Dict[str, Any]]
    snapshotEdges: List[Dict[str, Any]]
    snapshotSettings: Dict[str, Any]
    versions: List[Dict[str, Any]]


class App(_App, total=False):
    """A published app."""

    slug: str
    isActive: bool
    workflowId: str


class NodeDescriptor(TypedDict):
    type: str
    label: str
    category: str
    description: str
    outputType: str
    providers: List[str]
    capabilities: List[str]
    inputSchema: Any
    estimatedCredits: float


class _Workflow(TypedDict):
    id: str
    name: str
    description: str
    projectId: str
    workspaceId: Optional[str]
    visibility: str
    nodes: List[Dict[str, Any]]
    edges: List[Dict[str, Any]]
    createdBy: str
    createdAt: str
    updatedAt: str
    version: int
    access: str


class Workflow(_Workflow, total=False):
    estimatedCredits: float


class _StoredFile(TypedDict):
    id: str
    url: str
    contentType: str
    size: int


class StoredFile(_StoredFile, total=False):
    width: int
    height: int
    duration: float


class _Profile(TypedDict):
    id: str
    email: str
    displayName: str
    avatarUrl: Optional[str]
    emailVerified: bool
    createdAt: str


class Profile(_Profile, total=False):
    organizations: List[Dict[str, Any]]
    workspaces: List[Dict[str, Any]]
    lastWorkspaceId: Optional[str]


class Balance(TypedDict):
    balance: float
    reserved: float
    available: float


class Transaction(TypedDict):
    id: str
    kind: str
    amount: float
    balanceAfter: Optional[float]
    description: str
    executionId: Optional[str]
    createdAt: str


#: The names of these types in the OpenAPI document of the service.
SCHEMAS = {
    "NodeStateView": NodeState, "RunExecutionView": RunExecution, "RunView": Run, "StartedRun": StartedRun, "ExecutionDetail": Execution,
    "PublicJob": Job, "JobStatusView": JobState, "ManagedApp": App, "NodeTypeView": NodeDescriptor, "WorkflowDetail": Workflow,
    "FileView": StoredFile, "ProfileView": Profile, "BalanceView": Balance, "TransactionView": Transaction,
}

OnRun = Callable[[Run], None]
OnExecution = Callable[[Execution], None]
OnJob = Callable[[Job], None]
#: Told how many bytes of how many have left.
OnUpload = Callable[[int, int], None]
