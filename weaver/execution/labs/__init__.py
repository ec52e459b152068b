"""Labs: pages whose cells run one after the other in one kernel."""
